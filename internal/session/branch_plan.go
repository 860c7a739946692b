package session

import "slices"

// BranchPlan is what a branch in place would do. The rules are those of pi's
// navigateTree.
type BranchPlan struct {
	Target    Pos   // the chosen entry, NoPos = before the first entry
	OldLeaf   Pos   // the leaf before the branch
	Ancestor  Pos   // the deepest entry on both paths, or NoPos
	Abandoned []Pos // entries that are left behind, oldest first
	NewLeaf   Pos   // the entry to branch from, NoPos = before the first entry
	Prefill   bool  // the next prompt starts with the target's text
	IsNoop    bool  // the target is the leaf: there is nothing to write
}

// PlanBranch returns what branching from target does if leaf is the leaf. A prompt or a
// message by an extension branches from its parent and offers its text again; any other
// entry branches from itself.
func (t *Tree) PlanBranch(target, leaf Pos) BranchPlan {
	p := BranchPlan{Target: target, OldLeaf: leaf, NewLeaf: target, IsNoop: target == leaf}
	p.Ancestor = t.commonAncestor(target, leaf)
	for at := leaf; at != p.Ancestor; at = t.parent[at] {
		p.Abandoned = append(p.Abandoned, at)
	}
	slices.Reverse(p.Abandoned)
	if target == NoPos || p.IsNoop {
		return p
	}
	switch t.entries[target].Kind {
	case KindUser, KindCustomMessage:
		p.NewLeaf, p.Prefill = t.parent[target], true
	}
	return p
}

// commonAncestor returns the deepest entry on the paths to a and b.
func (t *Tree) commonAncestor(a, b Pos) Pos {
	on := t.MarkPath(b)
	for a != NoPos && !on[a] {
		a = t.parent[a]
	}
	return a
}
