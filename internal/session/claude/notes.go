package claude

import (
	"fmt"

	"sessiontree/internal/session"
	"sessiontree/internal/session/claude/dag"
)

// graphNotes returns notes about where the tree differs from the recorded lines.
func (u *fileGroup) graphNotes(ts *dag.Threads) (notes []session.Note) {
	about := func(n int32, code, text string) {
		e := u.entries[u.entryIndex[ts.Graph.InputIndex[n]]]
		notes = append(notes, session.Note{Code: code, Line: int(e.Span.Line), File: int(e.Span.File), Entry: e.ID, Text: text})
	}
	for _, n := range ts.Graph.Orphans {
		if x := ts.Graph.Nodes[n]; x.Class.IsMessage() && !x.Sidechain {
			about(n, session.NoteOrphan, fmt.Sprintf("Parent %s is in none of the files. The entry is shown as a root.", x.Parent))
		}
	}
	for _, n := range ts.Graph.CycleRoots {
		about(n, session.NoteCycle, "The chain of parents leads back to this entry. It is shown as a root.")
	}
	for _, n := range ts.RingCuts {
		about(n, session.NoteCycle, "The sessions continue each other in a cycle. It is cut here.")
	}
	return append(notes, u.copyNotes(ts)...)
}

// copyNotes returns notes about lines whose entry another line holds. A run of such lines gets
// one note, because a session continued in a new file begins with a copy of the conversation.
func (u *fileGroup) copyNotes(ts *dag.Threads) (notes []session.Note) {
	copied := make(map[int]bool, len(ts.Graph.Copies))
	for _, c := range ts.Graph.Copies {
		copied[u.entryIndex[c]] = true
	}
	var run []*session.Entry
	end := func() {
		if n := len(run); n > 0 {
			first, last := run[0], run[n-1]
			text := "This line is a copy of another entry, which is shown instead."
			if n > 1 {
				text = fmt.Sprintf("The %d entries up to line %d are copies of other entries, which are shown instead.", n, last.Span.Line)
			}
			notes = append(notes, session.Note{Code: session.NoteCopy, Line: int(first.Span.Line), File: int(first.Span.File), Entry: first.ID, Text: text})
		}
		run = nil
	}
	if len(copied) == 0 {
		return nil
	}
	for _, i := range u.order { // file by file
		e := u.entries[i]
		switch {
		case len(run) > 0 && run[0].Span.File != e.Span.File, u.factsAt(i).hasID && !copied[i]:
			end()
		}
		if copied[i] {
			run = append(run, e)
		}
	}
	end()
	return notes
}
