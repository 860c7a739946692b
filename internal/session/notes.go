package session

import (
	"cmp"
	"fmt"
	"slices"
)

// Notes lists what the reader should know, in file order.
func (t *Tree) Notes() []Note {
	notes := slices.Concat(t.given, t.repeats, t.edges)
	if n, ok := t.deadEnd(); ok {
		notes = append(notes, n)
	}
	slices.SortStableFunc(notes, func(a, b Note) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	return notes
}

// deadEnd finds out whether the last line stands on a branch that was left: it
// is bookkeeping, or older, and conversation went on elsewhere after all
// conversation on its path. A line that means to move the leaf is no dead end.
func (t *Tree) deadEnd() (Note, bool) {
	if t.leaf == NoPos || t.meansToMove(t.leaf) {
		return Note{}, false
	}
	path := t.onPath(t.leaf)
	here, there, at := NoTime, NoTime, NoPos
	for i := range t.entries {
		e := &t.entries[i]
		if e.Kind.Bookkeeping() || e.Time == NoTime {
			continue
		}
		if path[i] {
			here = max(here, e.Time)
		} else if e.Time > there {
			there, at = e.Time, Pos(i)
		}
	}
	if here == NoTime || there <= here {
		return Note{}, false
	}
	e := &t.entries[t.leaf]
	return Note{Code: NoteDeadEnd, Line: int(e.Span.Line), File: int(e.Span.File), Entry: e.ID,
		Text: fmt.Sprintf("The file ends on a branch that was left: newer activity stands at %s on another branch, but the agent goes on from here.", t.entries[at].ID)}, true
}

// meansToMove reports whether the entry at p was written to branch there: our
// own mark, a summary of what was left, or a label set on the very entry it
// hangs on.
func (t *Tree) meansToMove(p Pos) bool {
	e := &t.entries[p]
	return e.Has(FlagBranchMark) || e.Kind == KindBranchSummary || e.Kind == KindLabel && e.Has(FlagHasParent) && e.Target == e.Parent
}
