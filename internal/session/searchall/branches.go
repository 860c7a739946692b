package searchall

import (
	"sessiontree/internal/session"
	"sessiontree/internal/session/query"
)

// Branch is a part of a session with hits.
type Branch struct {
	Kind  query.BranchKind
	Head  session.Pos // its first entry; NoPos for the path
	Title string      // "" for the path
}

// branchFinder finds the branch of an entry. Branches of a branch belong to the one that
// leaves the path.
type branchFinder struct {
	tree   *session.Tree
	onPath []bool
	heads  map[session.Pos]session.Pos // heads of entries that were looked up
}

func newBranchFinder(t *session.Tree) *branchFinder {
	f := &branchFinder{tree: t, onPath: make([]bool, t.Len()), heads: map[session.Pos]session.Pos{}}
	for p := t.Leaf(); p != session.NoPos; p = t.Parent(p) {
		f.onPath[p] = true
	}
	return f
}

// headOf returns the first entry of the branch or of the sub-agent's thread that p is in,
// NoPos if it is on the path.
func (f *branchFinder) headOf(p session.Pos) session.Pos {
	var passed []session.Pos
	head := session.NoPos
	for at := p; !f.onPath[at]; at = f.tree.Parent(at) {
		known, ok := f.heads[at]
		if ok {
			head = known
			break
		}
		passed = append(passed, at)
		head = at
		if up := f.tree.Parent(at); up == session.NoPos || f.tree.At(at).HasFlag(session.FlagAgent) {
			break
		}
	}
	for _, at := range passed {
		f.heads[at] = head
	}
	return head
}

// kindOf returns the kind of the branch that begins with head.
func (f *branchFinder) kindOf(head session.Pos) query.BranchKind {
	switch {
	case head == session.NoPos:
		return query.OnPath
	case f.tree.At(head).HasFlag(session.FlagAgent):
		return query.SubAgent
	}
	return query.Abandoned
}

// branchFrom returns the branch that begins with head.
func (f *branchFinder) branchFrom(head session.Pos) Branch {
	b := Branch{Kind: f.kindOf(head), Head: head}
	if head != session.NoPos {
		b.Title = session.BranchTitleText(f.tree, head)
	}
	return b
}
