package branchlist

import (
	"sessiontree/internal/session"
	"sessiontree/internal/session/spend"
)

// PathFacts are counts over a part of a path.
type PathFacts struct {
	Entries, Prompts, Answers, Calls, Failed int
	Added, Removed                           int // lines of edits
	Time                                     int64
	spend.EntrySpend
}

// Comparison is what two paths have in common and in what they differ.
type Comparison struct {
	Ancestor session.Pos // the last entry of both, or NoPos
	Shared   int         // number of entries of both, without metadata
	A, B     PathFacts   // of the entries below Ancestor
}

// ComparePaths compares the paths to two entries.
func ComparePaths(t *session.Tree, costs *spend.Sheet, a, b session.Pos) Comparison {
	onA := t.MarkPath(a)
	c := Comparison{Ancestor: b}
	for c.Ancestor != session.NoPos && !onA[c.Ancestor] {
		c.Ancestor = t.Parent(c.Ancestor)
	}
	for p := c.Ancestor; p != session.NoPos; p = t.Parent(p) {
		c.Shared += int(t.Traits(p).CountWeight())
	}
	c.A, c.B = countPath(t, costs, c.Ancestor, a), countPath(t, costs, c.Ancestor, b)
	return c
}

// countPath returns the facts of the path from below from to to.
func countPath(t *session.Tree, costs *spend.Sheet, from, to session.Pos) PathFacts {
	f := PathFacts{Time: session.NoTime}
	for p := to; p != from && p != session.NoPos; p = t.Parent(p) {
		f.addEntry(t.At(p), int(t.Traits(p).CountWeight()))
		f.Add(costs.Entry(p))
	}
	return f
}

func (f *PathFacts) addEntry(e *session.Entry, weight int) {
	f.Entries += weight
	f.Time = max(f.Time, e.Time)
	switch e.Kind {
	case session.KindUser:
		f.Prompts++
	case session.KindAssistant:
		f.Answers++
	case session.KindToolResult:
		f.Added, f.Removed = f.Added+int(e.Added()), f.Removed+int(e.Removed())
		if e.HasFlag(session.FlagError) {
			f.Failed++
		}
	}
	for _, c := range e.Calls() {
		f.Calls++
		if c.Outcome != nil && c.Outcome.Failed {
			f.Failed++
		}
	}
}
