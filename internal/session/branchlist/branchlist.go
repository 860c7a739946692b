// Package branchlist lists the branches of a session and what each of them cost.
package branchlist

import (
	"sessiontree/internal/session"
	"sessiontree/internal/session/spend"
)

// Kind tells what a branch is.
type Kind uint8

// The kinds of branches.
const (
	Current   Kind = iota // the path to the leaf
	Abandoned             // a branch that the path to the leaf does not follow
	SubAgent              // the thread of a sub-agent
)

// Branch is a part of a session: the entries from a fork to a tip, without the branches
// that leave it in between. Each entry of a session is in exactly one branch, so the sums
// over all branches are those of the session.
type Branch struct {
	Kind     Kind
	Archived bool        // hidden by an archive entry
	OffPath  bool        // it, or the branch that it belongs to, is abandoned
	Up       int         // index of the branch that it leaves, -1 if none
	Head     session.Pos // its first entry, NoPos for a path without entries
	Tip      session.Pos // its last entry, NoPos for a path without entries
	Prompt   session.Pos // its first prompt, or NoPos
	Labeled  session.Pos // its last labeled entry, or NoPos
	Entries  int         // without metadata
	Time     int64       // of its newest entry, ms or session.NoTime
	// Start and End are the numbers of steps from the root to the fork and to the tip.
	Start, End int
	spend.EntrySpend

	inAgent bool // it is, or belongs to, the thread of a sub-agent
}

// Totals are the sums over all branches of a session. Their parts add up to Session.
type Totals struct {
	Session   spend.EntrySpend
	Path      spend.EntrySpend // the path to the leaf
	OffPath   spend.EntrySpend // abandoned branches and the sub-agents that they started
	SubAgents spend.EntrySpend // all other sub-agents
}

// SumBranches returns the sums over all branches of a session.
func SumBranches(branches []Branch) Totals {
	var t Totals
	for i := range branches {
		b := &branches[i]
		t.Session.Add(b.EntrySpend)
		switch {
		case b.OffPath:
			t.OffPath.Add(b.EntrySpend)
		case b.Kind == Current:
			t.Path.Add(b.EntrySpend)
		default:
			t.SubAgents.Add(b.EntrySpend)
		}
	}
	return t
}

// ListBranches returns the branches of a session: the path to the leaf first, then the
// others in the order of the tree.
func ListBranches(t *session.Tree, costs *spend.Sheet) []Branch {
	branches, _ := AssignEntries(t, costs)
	return branches
}

// AssignEntries returns the branches of a session as ListBranches does, and the index of the
// branch of each entry. Without costs, the branches have none.
func AssignEntries(t *session.Tree, costs *spend.Sheet) (branches []Branch, branchOf []int32) {
	l := lister{tree: t, costs: costs, subtrees: t.Subtrees(), leafPath: t.LeafPath(), branchOf: make([]int32, t.Len()), steps: make([]int32, t.Len())}
	l.branches = append(l.branches, Branch{Up: -1, Head: session.NoPos, Tip: session.NoPos, Prompt: session.NoPos, Labeled: session.NoPos, Time: session.NoTime})
	for _, p := range t.Preorder(t.Leaf()) {
		l.addEntry(p)
	}
	for _, label := range t.Labels() {
		b := &l.branches[l.branchOf[label.Target]]
		if b.Labeled == session.NoPos || l.steps[label.Target] > l.steps[b.Labeled] {
			b.Labeled = label.Target
		}
	}
	return l.branches, l.branchOf
}

// lister assigns the entries of a tree to branches.
type lister struct {
	tree     *session.Tree
	costs    *spend.Sheet
	subtrees *session.Subtrees
	leafPath session.Marks
	branches []Branch
	branchOf []int32 // index of the branch of each entry
	steps    []int32 // number of entries from the root to each entry
}

// addEntry adds the next entry in preorder to its branch.
func (l *lister) addEntry(p session.Pos) {
	up := l.tree.Parent(p)
	at, step := int32(0), int32(0)
	if up != session.NoPos {
		at, step = l.branchOf[up], l.steps[up]
	}
	if l.startsBranch(p, up) {
		at = l.beginBranch(p, up)
	}
	l.branchOf[p], l.steps[p] = at, step+1
	b := &l.branches[at]
	b.addEntry(l.tree, p, int(step+1))
	if l.costs != nil {
		b.Add(l.costs.Entry(p))
	}
}

// startsBranch reports whether a branch begins at p. It follows the rules by which the tree
// shows branches. Bookkeeping next to the conversation is no branch. What continues below the
// leaf was left when the leaf moved.
func (l *lister) startsBranch(p, up session.Pos) bool {
	switch {
	case l.leafPath.Has(p):
		return false
	case l.tree.At(p).StartsThread():
		return true
	case !l.subtrees.IsConversation(p):
		return false
	}
	return up == session.NoPos || up == l.tree.Leaf() || l.subtrees.MainChild(up, l.isHidden) != p
}

func (l *lister) isHidden(p session.Pos) bool {
	return l.tree.IsArchived(p) && !l.leafPath.Has(p)
}

// beginBranch adds a branch that begins at p and returns its index.
func (l *lister) beginBranch(p, up session.Pos) int32 {
	b := Branch{Kind: Abandoned, Up: -1, Head: p, Tip: p, Prompt: session.NoPos, Labeled: session.NoPos, Time: session.NoTime, Archived: l.isHidden(p)}
	if up != session.NoPos {
		from := &l.branches[l.branchOf[up]]
		b.Up, b.Start = int(l.branchOf[up]), int(l.steps[up])
		b.Archived = b.Archived || from.Archived
		b.OffPath, b.inAgent = from.OffPath, from.inAgent
	}
	if l.tree.At(p).HasFlag(session.FlagAgent) {
		b.Kind, b.inAgent = SubAgent, true
	}
	b.OffPath = b.OffPath || !b.inAgent
	l.branches = append(l.branches, b)
	return int32(len(l.branches) - 1)
}

// addEntry adds an entry to b.
func (b *Branch) addEntry(t *session.Tree, p session.Pos, step int) {
	e := t.At(p)
	if b.Head == session.NoPos {
		b.Head = p
	}
	if step > b.End {
		b.End, b.Tip = step, p
	}
	if b.Prompt == session.NoPos && e.Kind == session.KindUser {
		b.Prompt = p
	}
	b.Entries += int(t.Traits(p).CountWeight())
	b.Time = max(b.Time, e.Time)
}
