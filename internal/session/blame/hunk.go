package blame

import (
	"strings"

	"sessiontree/internal/session/filediff"
)

// hunk is a change of lines that follow each other.
type hunk struct {
	lines []hunkLine
	added []int // texts of its lines after the change
	place int   // index of the first of them in the text after the change, or -1
}

// hunkLine is a line of a diff: '+', '-' or ' ', and the number of its text.
type hunkLine struct {
	sign byte
	text int
}

// splitHunks splits a diff into hunks.
func (w *walker) splitHunks(lines []filediff.Line) []hunk {
	var hunks []hunk
	open := false
	nextOld, nextNew, shift := 0, 0, 0
	for i := range lines {
		l := &lines[i]
		if l.Sign != '+' && l.Sign != '-' && l.Sign != ' ' {
			open = false
			continue
		}
		skips := l.New > 0 && nextNew > 0 && l.New != nextNew || l.Old > 0 && nextOld > 0 && l.Old != nextOld
		if !open || skips {
			hunks = append(hunks, hunk{place: firstPlace(l, shift)})
			open, nextOld, nextNew = true, 0, 0
		}
		h := &hunks[len(hunks)-1]
		text := w.idOf(l.Text)
		h.lines = append(h.lines, hunkLine{l.Sign, text})
		if l.Sign != '-' {
			h.added = append(h.added, text)
		}
		if l.Old > 0 {
			nextOld = l.Old + 1
		}
		if l.New > 0 {
			nextNew = l.New + 1
		}
		switch l.Sign {
		case '+':
			shift++
		case '-':
			shift--
		}
	}
	return hunks
}

// firstPlace returns the index at which a hunk begins after the change, -1 if it is not known.
// shift is by how many lines the hunks before it move its lines.
func firstPlace(l *filediff.Line, shift int) int {
	switch {
	case l.New > 0:
		return l.New - 1
	case l.Old > 0:
		return max(l.Old-1+shift, 0)
	}
	return -1
}

// findHunk returns the index of the new text of a hunk: at its place, else the nearest one, and
// never before from. It returns -1 if there is none.
func (w *walker) findHunk(h *hunk, from int) int {
	last := len(w.now) - len(h.added)
	if len(h.added) == 0 {
		if h.place < from || h.place > last {
			return -1
		}
		return h.place
	}
	start := max(h.place, from)
	for d := 0; start+d <= last || start-d >= from; d++ {
		if start+d <= last && w.hasTexts(start+d, h.added) {
			return start + d
		}
		if d > 0 && start-d >= from && start-d <= last && w.hasTexts(start-d, h.added) {
			return start - d
		}
	}
	return -1
}

func (w *walker) hasTexts(at int, texts []int) bool {
	for i, text := range texts {
		if w.now[at+i].text != text {
			return false
		}
	}
	return true
}

// minFragment is the length of the shortest text that is looked for within lines.
const minFragment = 3

// undoFragment undoes a hunk without line numbers whose first and last lines may be parts of
// lines. It reports false unless its new text is at exactly one place.
func (w *walker) undoFragment(edit int, h *hunk) bool {
	n := len(h.added)
	if h.place >= 0 || n == 0 || n == 1 && len(strings.TrimSpace(w.texts[h.added[0]])) < minFragment {
		return false
	}
	found := -1
	for at := 0; at+n <= len(w.now); at++ {
		if w.hasFragment(at, h.added) {
			if found >= 0 {
				return false
			}
			found = at
		}
	}
	if found < 0 {
		return false
	}
	first, last := w.texts[h.added[0]], w.texts[h.added[n-1]]
	before, after, _ := strings.Cut(w.texts[w.now[found].text], first)
	if n > 1 {
		after = strings.TrimPrefix(w.texts[w.now[found+n-1].text], last)
		before = strings.TrimSuffix(w.texts[w.now[found].text], first)
	}
	whole := w.completeLines(h, before, after)
	w.undoHunk(edit, &whole, found)
	return true
}

// hasFragment reports whether the lines at a place contain texts, of which the first may be the
// end of a line and the last the beginning of one.
func (w *walker) hasFragment(at int, texts []int) bool {
	n := len(texts)
	first, last := w.texts[texts[0]], w.texts[texts[n-1]]
	if n == 1 {
		return strings.Count(w.texts[w.now[at].text], first) == 1
	}
	return strings.HasSuffix(w.texts[w.now[at].text], first) && strings.HasPrefix(w.texts[w.now[at+n-1].text], last) && w.hasTexts(at+1, texts[1:n-1])
}

// completeLines returns a hunk with what is before and after it in its first and last lines.
func (w *walker) completeLines(h *hunk, before, after string) hunk {
	whole := hunk{place: h.place}
	firstOld, lastOld := -1, -1
	for i, l := range h.lines {
		if l.sign != '+' {
			if firstOld < 0 {
				firstOld = i
			}
			lastOld = i
		}
	}
	for i, l := range h.lines {
		text := w.texts[l.text]
		if i == firstOld {
			text = before + text
		}
		if i == lastOld {
			text += after
		}
		whole.lines = append(whole.lines, hunkLine{l.sign, w.idOf(text)})
	}
	if firstOld < 0 && before+after != "" { // the text was inserted into a line
		whole.lines = append(whole.lines, hunkLine{'-', w.idOf(before + after)})
	}
	return whole
}

// ownUniqueLines makes an edit the owner of the lines that it added and that are still there
// although its text as a whole is not: lines that occur only once, and the ones next to them.
func (w *walker) ownUniqueLines(edit int, h *hunk) {
	count := map[int]int{} // of the texts of the hunk
	for _, text := range h.added {
		count[text]++
	}
	places := w.findTexts(count)
	for i, l := range h.lines {
		at, known := places[l.text]
		if l.sign != '+' || !known || at < 0 || count[l.text] > 1 || len(strings.TrimSpace(w.texts[l.text])) < minFragment {
			continue
		}
		for k := 0; i+k < len(h.lines) && at+k < len(w.now) && h.lines[i+k] == (hunkLine{'+', w.now[at+k].text}); k++ {
			w.own(edit, w.now[at+k])
		}
		for k := 1; i-k >= 0 && at-k >= 0 && h.lines[i-k] == (hunkLine{'+', w.now[at-k].text}); k++ {
			w.own(edit, w.now[at-k])
		}
	}
}

// findTexts returns the indexes of the lines that have one of some texts, by text: -1 if there are
// several.
func (w *walker) findTexts(wanted map[int]int) map[int]int {
	w.wanted = append(w.wanted, make([]bool, len(w.texts)-len(w.wanted))...)
	for text := range wanted {
		w.wanted[text] = true
	}
	places := map[int]int{}
	for i, s := range w.now {
		if !w.wanted[s.text] {
			continue
		}
		if _, known := places[s.text]; known {
			places[s.text] = -1
		} else {
			places[s.text] = i
		}
	}
	for text := range wanted {
		w.wanted[text] = false
	}
	return places
}
