package pi

import (
	"cmp"
	"math"
	"slices"

	"sessiontree/internal/session"
)

// copyInOrder writes the entries in order and returns the last one.
func (w *entryCopier) copyInOrder(order []session.Pos) (last session.Pos, err error) {
	steps := []recordStep{}
	for _, p := range order {
		steps = append(steps, recordStep{pos: p})
	}
	if w.isWholeSession {
		steps = recordOrder(w.tree, order)
	}
	for _, s := range steps {
		if err == nil {
			err = w.copyLine(s.pos)
		}
		if err == nil && s.rewrittenLater {
			err = w.addPlaceholder()
		}
	}
	return steps[len(steps)-1].pos, err
}

// addPlaceholder makes the last line a placeholder for an entry that is recorded again later. It
// determines only the position of the entry.
func (w *entryCopier) addPlaceholder() (err error) {
	l := &w.lines[len(w.lines)-1]
	if l.Text == nil {
		l.Text, err = w.source(l.Pos)
	}
	l.Pos = session.NoPos
	return err
}

// recordStep is one line to write, given by its entry.
type recordStep struct {
	pos            session.Pos
	rewrittenLater bool // a later line with the same id replaces this one
}

// recordOrder lists lines of entries so that reading them gives the same positions, leaf and
// labels. An entry's position is that of the first line with its id, but its last line counts. If
// other lines come in between, it is written twice.
func recordOrder(t *session.Tree, order []session.Pos) []recordStep {
	line := func(p session.Pos) int32 { return t.At(p).Span.Line }
	var later []session.Pos // entries that are recorded again
	first := int32(math.MaxInt32)
	for i := len(order) - 1; i >= 0; i-- {
		if line(order[i]) > first {
			later = append(later, order[i])
		}
		first = min(first, line(order[i]))
	}
	slices.SortFunc(later, func(a, b session.Pos) int { return cmp.Compare(line(a), line(b)) })
	moved := make(map[session.Pos]bool, len(later))
	for _, p := range later {
		moved[p] = true
	}
	steps := make([]recordStep, 0, len(order)+len(later))
	for _, p := range order {
		for len(later) > 0 && !moved[p] && line(later[0]) < line(p) {
			steps, later = append(steps, recordStep{pos: later[0]}), later[1:]
		}
		steps = append(steps, recordStep{p, moved[p]})
	}
	for _, p := range later {
		steps = append(steps, recordStep{pos: p})
	}
	return steps
}
