// Package compare compares branches of a session from where they split: their prompts in order,
// what they did to files, and what they cost.
package compare

import (
	"slices"

	"sessiontree/internal/session"
	"sessiontree/internal/session/filediff"
	"sessiontree/internal/session/spend"
)

// Facts are counts over a part of a path.
type Facts struct {
	Entries, Prompts, Answers, Calls, Failed int

	Added, Removed int   // lines of edits, as they are recorded
	Waited         int64 // ms that models and tools took
	Time           int64 // of the newest entry, ms or session.NoTime
	spend.EntrySpend
}

// Comparison is what paths have in common and in what they differ.
type Comparison struct {
	Ancestor session.Pos // the last entry of all, or NoPos
	Shared   int         // number of entries of all, without metadata
	Sides    []Side
}

// Side is one of the paths, from below the ancestor.
type Side struct {
	End   session.Pos
	Own   []session.Pos // its entries below the ancestor
	Turns []Turn
	Facts
}

// Head returns the first entry of the side, or NoPos.
func (s *Side) Head() session.Pos {
	if len(s.Own) == 0 {
		return session.NoPos
	}
	return s.Own[0]
}

// Calls returns the finished calls of the side.
func (s *Side) Calls() (all []filediff.Call) {
	for i := range s.Turns {
		all = append(all, s.Turns[i].Calls...)
	}
	return all
}

// Paths compares the paths to entries, of which there is at least one.
func Paths(t *session.Tree, costs *spend.Sheet, ends ...session.Pos) *Comparison {
	c := &Comparison{Ancestor: commonAncestor(t, ends)}
	for p := c.Ancestor; p != session.NoPos; p = t.Parent(p) {
		c.Shared += int(t.Traits(p).CountWeight())
	}
	for _, end := range ends {
		s := Side{End: end, Facts: Facts{Time: session.NoTime}}
		for p := end; p != c.Ancestor; p = t.Parent(p) {
			s.Own = append(s.Own, p)
		}
		slices.Reverse(s.Own)
		s.Turns = listTurns(t, costs, s.Own)
		for i := range s.Turns {
			s.addFacts(&s.Turns[i].Facts)
		}
		c.Sides = append(c.Sides, s)
	}
	return c
}

// FindEnds returns the ends of the branches that entries belong to, each once. If these are fewer
// than two, the leaf and the newest other branches follow.
func FindEnds(t *session.Tree, entries []session.Pos) (ends []session.Pos) {
	for _, p := range entries {
		if end := t.Subtrees().NewestLeaf(p); !slices.Contains(ends, end) {
			ends = append(ends, end)
		}
	}
	if len(ends) > 1 {
		return ends
	}
	for _, tip := range t.BranchTips() {
		if len(ends) < 2 && !slices.Contains(ends, tip.Pos) {
			ends = append(ends, tip.Pos)
		}
	}
	return ends
}

// commonAncestor returns the last entry that is on the paths to all of ends, or NoPos.
func commonAncestor(t *session.Tree, ends []session.Pos) session.Pos {
	at := ends[0]
	for _, end := range ends[1:] {
		onPath := t.MarkPath(end)
		for at != session.NoPos && !onPath[at] {
			at = t.Parent(at)
		}
	}
	return at
}

func (f *Facts) addFacts(o *Facts) {
	f.Entries, f.Prompts, f.Answers = f.Entries+o.Entries, f.Prompts+o.Prompts, f.Answers+o.Answers
	f.Calls, f.Failed = f.Calls+o.Calls, f.Failed+o.Failed
	f.Added, f.Removed = f.Added+o.Added, f.Removed+o.Removed
	f.Waited, f.Time = f.Waited+o.Waited, max(f.Time, o.Time)
	f.Add(o.EntrySpend)
}

// addEntry counts the entry at p.
func (f *Facts) addEntry(t *session.Tree, costs *spend.Sheet, p session.Pos) {
	e := t.At(p)
	f.Entries += int(t.Traits(p).CountWeight())
	f.Time = max(f.Time, e.Time)
	f.Waited += costs.Waited(p)
	f.Add(costs.Entry(p))
	switch e.Kind {
	case session.KindUser:
		f.Prompts++
	case session.KindAssistant:
		f.Answers++
	case session.KindToolResult:
		f.Added, f.Removed = f.Added+int(e.Added()), f.Removed+int(e.Removed())
	}
	finished, failed := e.CountCalls()
	f.Calls, f.Failed = f.Calls+finished, f.Failed+failed
}
