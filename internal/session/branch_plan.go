package session

import "slices"

// BranchPlan is where a branch in place leads, before anything is written. The rules
// are those of pi's navigateTree.
type BranchPlan struct {
	Target    Pos   // the entry chosen, NoPos = before the first entry
	OldLeaf   Pos   // where the agent stood
	Ancestor  Pos   // the deepest entry that both paths share, NoPos when none
	Abandoned []Pos // what is left behind, oldest first
	NewLeaf   Pos   // the entry the branch hangs on, NoPos = before the first entry
	Prefill   bool  // the target's text is the next prompt's beginning
	IsNoop    bool  // the target is the leaf: nothing is to be written
}

// PlanBranch says what branching from target means when the agent stands at leaf. A
// prompt and a message by an extension branch from their parent and offer their
// text again; anything else branches from itself.
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

// commonAncestor is the deepest entry on the paths to a and to b.
func (t *Tree) commonAncestor(a, b Pos) Pos {
	on := t.markPath(b)
	for a != NoPos && !on[a] {
		a = t.parent[a]
	}
	return a
}
