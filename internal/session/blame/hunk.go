package blame

import (
	"slices"
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
	if !w.haveTexts(h.added) {
		return -1
	}
	start := max(h.place, from)
	for d := 0; (start+d <= last || start-d >= from) && !w.isExhausted(); d++ {
		w.work++
		if start+d <= last && w.hasTexts(start+d, h.added) {
			return start + d
		}
		if d > 0 && start-d >= from && start-d <= last && w.hasTexts(start-d, h.added) {
			return start - d
		}
	}
	return -1
}

// haveTexts reports whether each of some texts is that of a line, at any place: most edits that left
// no trace are recognized by that.
func (w *walker) haveTexts(texts []int) bool {
	w.work += len(texts)
	return !slices.ContainsFunc(texts, func(text int) bool { return w.count[text] == 0 })
}

func (w *walker) hasTexts(at int, texts []int) bool {
	for i, text := range texts {
		if w.now[at+i].text != text {
			w.work += i
			return false
		}
	}
	return true
}

// minFragment is the length of the shortest text that is looked for within lines.
const minFragment = 3

// bytesPerWork is how many bytes of a line are searched while two lines are compared.
const bytesPerWork = 32

// undoFragment undoes a hunk without line numbers whose first and last lines may be parts of
// lines. It reports false unless its new text is at exactly one place.
func (w *walker) undoFragment(edit int, h *hunk) bool {
	n := len(h.added)
	if h.place >= 0 || n == 0 || n == 1 && len(strings.TrimSpace(w.texts[h.added[0]])) < minFragment {
		return false
	}
	if n > 2 && !w.haveTexts(h.added[1:n-1]) {
		return false
	}
	found := -1
	for at := 0; at+n <= len(w.now); at++ {
		if w.isExhausted() {
			return false
		}
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
	w.work++
	if n == 1 {
		w.work += len(w.texts[w.now[at].text]) / bytesPerWork
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
