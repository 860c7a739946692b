package session

import (
	"cmp"
	"fmt"
	"slices"
)

// Notes returns the notes about the session by file and line, those of the main file
// first.
func (t *Tree) Notes() []Note {
	notes := slices.Concat(t.readNotes, t.duplicateNotes, t.parentNotes)
	if n, ok := t.deadEndNote(); ok {
		notes = append(notes, n)
	}
	slices.SortStableFunc(notes, func(a, b Note) int {
		return cmp.Or(t.files.compareFiles(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	return notes
}

// deadEndNote returns a note if the last line is on an abandoned branch.
func (t *Tree) deadEndNote() (Note, bool) {
	at := t.NewerActivity()
	if at == NoPos {
		return Note{}, false
	}
	e := t.At(t.leaf)
	return Note{Code: NoteDeadEnd, Line: int(e.Span.Line), File: int(e.Span.File), Entry: e.ID,
		Text: fmt.Sprintf("The file ends on an abandoned branch; newer work is at %s on another. The agent would continue from here.", t.entries[at].ID)}, true
}

// NewerActivity returns the newest conversation entry if the file ends on an abandoned
// branch, else NoPos. The branch is abandoned if another one has conversation newer
// than any on the leaf's path. It is not if the last line was written to move the leaf.
func (t *Tree) NewerActivity() Pos {
	if t.leaf == NoPos || t.arrange != nil && !t.childIndex.mainFileFirst || t.isLeafMove(t.leaf) {
		return NoPos
	}
	last := &t.leafTrail().activity
	if last.here == NoTime || last.there <= last.here {
		return NoPos
	}
	return last.at
}

// isLeafMove reports whether the entry at p was written to branch there: the explorer's
// own mark, a summary of the abandoned branch, or a label for the chosen entry, which
// is its parent, or for a prompt a sibling.
func (t *Tree) isLeafMove(p Pos) bool {
	e := t.At(p)
	if e.Kind != KindLabel {
		return e.HasFlag(FlagBranchMark) || e.Kind == KindBranchSummary
	}
	target := t.FindID(e.Target())
	return target != NoPos && (target == t.parent[p] || t.parent[target] == t.parent[p])
}
