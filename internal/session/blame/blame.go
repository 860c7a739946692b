// Package blame finds for each line of a text the recorded edit that wrote it.
package blame

import (
	"context"
	"slices"

	"github.com/aymanbagabas/go-udiff/lcs"

	"sessiontree/internal/session/filediff"
)

// Outside is the owner of a line that no edit recorded.
const Outside = -1

// maxWork limits the comparisons of lines: about a second of work.
const maxWork = 50_000_000

// movedPerWork is how many lines are moved while one is compared.
const movedPerWork = 8

// Result is which edits wrote the lines of a text.
type Result struct {
	Owners      []int // for each line the index of its edit, or Outside
	NotCompared int   // edits that were not compared with all lines, because that is too much work: the oldest ones
}

// FindOwners finds for each line of a text the edit that wrote it. The edits are in the order newest
// first, which is only the order in which they are tried: an edit owns lines because the text that
// it wrote is found, never because of its time. The error is that of the context.
//
// Each edit whose new text is found is undone, so that the edits before it are compared with the
// text that they left. The new text of a change is looked for at the recorded line first, then at
// the nearest place. If others changed a part of it since, the rest is found by lines that occur
// only once.
func FindOwners(ctx context.Context, lines []string, edits []filediff.Edit) (Result, error) {
	w := newWalker(lines, maxWork)
	return w.findOwners(ctx, edits)
}

func newWalker(lines []string, budget int) *walker {
	w := &walker{ids: map[string]int{}, owners: make([]int, len(lines)), budget: budget}
	for i, text := range lines {
		w.now = append(w.now, slot{w.idOf(text), i})
		w.count[w.now[i].text]++
		w.owners[i] = Outside
	}
	return w
}

func (w *walker) findOwners(ctx context.Context, edits []filediff.Edit) (Result, error) {
	for i := range edits {
		switch e := &edits[i]; {
		case e.IsUnknown():
		case e.Lines == nil:
			if w.undoWrite(i, e.Content) {
				return Result{Owners: w.owners}, nil
			}
		default:
			w.undoEdit(ctx, i, e.Lines)
		}
		if err := ctx.Err(); err != nil {
			return Result{}, err
		}
		if w.isExhausted() {
			return Result{w.owners, len(edits) - i}, nil
		}
	}
	return Result{Owners: w.owners}, nil
}

// walker walks from a text to what it was before its edits.
type walker struct {
	ids    map[string]int // numbers of the texts of lines
	texts  []string       // by number
	now    []slot
	count  []int // by the number of a text: how many lines of now have it
	owners []int
	work   int // comparisons of lines, and what takes as long
	budget int // of the work
}

// isExhausted reports whether the work is more than its budget.
func (w *walker) isExhausted() bool { return w.work > w.budget }

// slot is a line of the text before some edits: the number of its text, and its index in the
// text of today, or -1.
type slot struct{ text, line int }

// idOf returns the number of a text.
func (w *walker) idOf(text string) int {
	id, known := w.ids[text]
	if !known {
		id = len(w.texts)
		w.ids[text] = id
		w.texts = append(w.texts, text)
		w.count = append(w.count, 0)
	}
	return id
}

// own makes an edit the owner of a line unless it has a newer one.
func (w *walker) own(edit int, s slot) {
	if s.line >= 0 && w.owners[s.line] == Outside {
		w.owners[s.line] = edit
	}
}

// undoWrite undoes an edit that wrote the whole text. It reports whether the text is exactly
// that: what was before is not known, and of no importance.
func (w *walker) undoWrite(edit int, content string) bool {
	var now []string
	written := filediff.SplitLines(content)
	for _, s := range w.now {
		now = append(now, w.texts[s.text])
	}
	w.work += len(now) + len(written)
	at := 0
	changes := lcs.DiffLines(now, written)
	for _, d := range append(changes, lcs.Diff{Start: len(now), End: len(now)}) {
		for ; at < d.Start; at++ {
			w.own(edit, w.now[at])
		}
		at = d.End
	}
	if len(changes) > 0 { // removed lines that were put back at a wrong place may hide others
		w.ownUniqueLines(edit, w.hunkOf(written))
	}
	return len(changes) == 0
}

// hunkOf returns a hunk that adds lines.
func (w *walker) hunkOf(lines []string) *hunk {
	h := &hunk{}
	for _, text := range lines {
		id := w.idOf(text)
		h.lines, h.added = append(h.lines, hunkLine{'+', id}), append(h.added, id)
	}
	return h
}

// undoEdit undoes an edit with a diff: its hunks from the last to the first, so that the places
// of the others stay.
func (w *walker) undoEdit(ctx context.Context, edit int, lines []filediff.Line) {
	hunks := w.splitHunks(lines)
	places := make([]int, len(hunks))
	from := 0
	stopped := func() bool { return w.isExhausted() || ctx.Err() != nil }
	for i := range hunks {
		if stopped() {
			return
		}
		if places[i] = w.findHunk(&hunks[i], from); places[i] >= 0 {
			from = places[i] + len(hunks[i].added)
		}
	}
	for i, h := range slices.Backward(hunks) {
		if places[i] >= 0 {
			w.undoHunk(edit, &h, places[i])
		}
	}
	for i := range hunks {
		if stopped() {
			return
		}
		if places[i] < 0 && !w.undoFragment(edit, &hunks[i]) {
			w.ownUniqueLines(edit, &hunks[i])
		}
	}
}

// undoHunk undoes a hunk whose new text is at a place.
func (w *walker) undoHunk(edit int, h *hunk, at int) {
	var before []slot
	end := at
	for _, l := range h.lines {
		switch l.sign {
		case '-':
			before = append(before, slot{l.text, -1})
		case '+':
			w.own(edit, w.now[end])
			end++
		default:
			before = append(before, w.now[end])
			end++
		}
	}
	for _, s := range w.now[at:end] {
		w.count[s.text]--
	}
	for _, s := range before {
		w.count[s.text]++
	}
	w.work += len(h.lines)
	if len(before) != end-at {
		w.work += (len(w.now) - end) / movedPerWork
	}
	w.now = slices.Replace(w.now, at, end, before...)
}
