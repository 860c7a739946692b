package blame

import "strings"

// ownUniqueLines makes an edit the owner of the lines that it added and that are still there
// although its text as a whole is not: lines that occur only once, and the ones next to them.
func (w *walker) ownUniqueLines(edit int, h *hunk) {
	count := map[int]int{} // of the texts of the hunk
	for _, text := range h.added {
		count[text]++
	}
	places := w.findUniqueLines(h.lines)
	shift, end := 0, 0 // of the run that was found last: at-i, and where it ends in the hunk
	for i, l := range h.lines {
		at, known := places[l.text]
		if l.sign != '+' || !known || count[l.text] > 1 || len(strings.TrimSpace(w.texts[l.text])) < minFragment {
			continue
		}
		if at-i == shift && i < end {
			continue // within it
		}
		shift = at - i
		for k := 0; i+k < len(h.lines) && at+k < len(w.now) && h.lines[i+k] == (hunkLine{'+', w.now[at+k].text}); k++ {
			w.own(edit, w.now[at+k])
			end = i + k + 1
			w.work++
		}
		for k := 1; i-k >= 0 && at-k >= 0 && h.lines[i-k] == (hunkLine{'+', w.now[at-k].text}); k++ {
			w.own(edit, w.now[at-k])
			w.work++
		}
	}
}

// findUniqueLines returns the indexes of the lines that have the text of an added one, by text,
// of those that occur only once.
func (w *walker) findUniqueLines(lines []hunkLine) map[int]int {
	places := map[int]int{}
	w.work += len(lines)
	for _, l := range lines {
		if l.sign == '+' && w.count[l.text] == 1 {
			places[l.text] = -1
		}
	}
	if len(places) == 0 {
		return nil
	}
	w.work += len(w.now)
	for i, s := range w.now {
		if w.count[s.text] == 1 {
			if _, wanted := places[s.text]; wanted {
				places[s.text] = i
			}
		}
	}
	return places
}
