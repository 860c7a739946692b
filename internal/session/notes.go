package session

import (
	"cmp"
	"fmt"
	"slices"
)

// Notes lists what the reader should know, by file and line: those of the main file
// first.
func (t *Tree) Notes() []Note {
	notes := slices.Concat(t.readNotes, t.duplicateNotes, t.parentNotes)
	if n, ok := t.deadEndNote(); ok {
		notes = append(notes, n)
	}
	slices.SortStableFunc(notes, func(a, b Note) int {
		return cmp.Or(t.compareFiles(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	return notes
}

// deadEndNote tells of a last line that stands on a branch that was left.
func (t *Tree) deadEndNote() (Note, bool) {
	at := t.NewerActivity()
	if at == NoPos {
		return Note{}, false
	}
	e := t.At(t.leaf)
	return Note{Code: NoteDeadEnd, Line: int(e.Span.Line), File: int(e.Span.File), Entry: e.ID,
		Text: fmt.Sprintf("The file ends on a branch that was left: newer activity stands at %s on another branch, but the agent goes on from here.", t.entries[at].ID)}, true
}

// NewerActivity is the newest activity when the last line stands on a branch that was
// left, else NoPos: the line is bookkeeping, or older, and conversation went on
// elsewhere after all conversation on its path. A line that means to move the leaf
// is no dead end.
func (t *Tree) NewerActivity() Pos {
	if t.leaf == NoPos || t.arrange != nil && !t.childIndex.mainFileFirst || t.isLeafMove(t.leaf) {
		return NoPos
	}
	path := t.markPath(t.leaf)
	here, there, at := NoTime, NoTime, NoPos
	for i := range t.entries {
		e := t.At(Pos(i))
		if e.Kind.IsBookkeeping() || e.Time == NoTime || e.Span.File != t.entries[t.leaf].Span.File {
			continue
		}
		if path[i] {
			here = max(here, e.Time)
		} else if e.Time > there {
			there, at = e.Time, Pos(i)
		}
	}
	if here == NoTime || there <= here {
		return NoPos
	}
	return at
}

// isLeafMove reports whether the entry at p was written to branch there: our
// own mark, a summary of what was left, or the label of the entry that was chosen,
// which is the one it hangs on, or for a prompt one beside it.
func (t *Tree) isLeafMove(p Pos) bool {
	e := t.At(p)
	if e.Kind != KindLabel {
		return e.HasFlag(FlagBranchMark) || e.Kind == KindBranchSummary
	}
	target := t.FindID(e.Target())
	return target != NoPos && (target == t.parent[p] || t.parent[target] == t.parent[p])
}
