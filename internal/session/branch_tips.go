package session

import (
	"cmp"
	"slices"
)

// Tip is the end of a branch, with what a list shows of the branch.
type Tip struct {
	Pos  Pos // the branch's last entry, from which an agent would continue
	Last Pos // its last entry that is not bookkeeping, or Pos
	Head Pos // its first entry, below Fork
	// Fork is the entry where the branch leaves other branches, NoPos if there are none
	// or they leave before the first entry.
	Fork Pos
	// Prompt is the first prompt below Fork, else the last one above, else NoPos.
	Prompt  Pos
	Entries int   // from below Fork to Pos
	Time    int64 // of the newest of them, ms or NoTime
	Current bool  // it is the leaf
}

// BranchTips returns the ends of all branches, the current one first, then the newest
// first. It omits branches of nothing but bookkeeping, archived ones and those of
// agents, unless the leaf is there.
func (t *Tree) BranchTips() []Tip {
	f := tipFinder{tree: t, subtrees: t.Subtrees(), branchCounts: make([]int32, len(t.entries)), promptCache: map[Pos]Pos{}, leafBranchHead: NoPos, agentEntries: t.Subtrees().markAgentEntries()}
	f.countBranchHeads()
	var tips []Tip
	path := t.MarkPath(t.leaf)
	for p := range Pos(len(t.entries)) {
		if !path[p] && f.isConversationEnd(p) {
			tips = append(tips, f.buildTip(f.branchEnd(p), p))
		}
	}
	if t.leaf != NoPos {
		tips = append(tips, f.buildTip(t.leaf, f.lastConversationEntry()))
	}
	slices.SortStableFunc(tips, func(a, b Tip) int {
		if a.Current != b.Current {
			return map[bool]int{true: -1, false: 1}[a.Current]
		}
		return cmp.Or(cmp.Compare(b.Time, a.Time), t.compareAsRecorded(b.Pos, a.Pos))
	})
	return tips
}

// tipFinder computes the tips of a tree.
type tipFinder struct {
	tree          *Tree
	subtrees      *Subtrees
	branchCounts  []int32     // number of branches among the children of each entry
	rootBranches  int32       // number of branches among the roots
	hiddenEntries []bool      // archived, or below an archived entry; nil if there are none
	promptCache   map[Pos]Pos // last prompt on the path to an entry
	agentEntries  Marks       // entries of agents
	// leafBranchHead is the head of a branch that counts only because of the leaf, or
	// NoPos.
	leafBranchHead Pos
}

func (f *tipFinder) countBranchHeads() {
	if len(f.tree.archivedIDs) > 0 {
		f.hiddenEntries = make([]bool, len(f.tree.entries))
		for _, p := range f.tree.Preorder(NoPos) {
			up := f.tree.parent[p]
			f.hiddenEntries[p] = f.tree.IsArchived(p) || up != NoPos && f.hiddenEntries[up]
		}
	}
	for p := range Pos(len(f.tree.entries)) {
		if f.isBranchHead(p) {
			*f.branchesFrom(f.tree.parent[p])++
		}
	}
	top := NoPos
	for p := f.tree.leaf; p != NoPos && !f.isBranchHead(p); p = f.tree.parent[p] {
		top = p
	}
	if top != NoPos && *f.branchesFrom(f.tree.parent[top]) > 0 {
		*f.branchesFrom(f.tree.parent[top])++
		f.leafBranchHead = top
	}
}

// branchesFrom returns the number of branches from p, to be read or changed.
func (f *tipFinder) branchesFrom(p Pos) *int32 {
	if p == NoPos {
		return &f.rootBranches
	}
	return &f.branchCounts[p]
}

func (f *tipFinder) isListedBranch(p Pos) bool {
	return (f.hiddenEntries == nil || !f.hiddenEntries[p]) && !f.agentEntries.Has(p)
}

func (f *tipFinder) isBranchHead(p Pos) bool {
	return f.subtrees.conversational[p] && f.isListedBranch(p) || p == f.leafBranchHead && p != NoPos
}

// isOnlyBranch reports whether no other branch starts at the parent of p.
func (f *tipFinder) isOnlyBranch(p Pos) bool {
	beside := *f.branchesFrom(f.tree.parent[p])
	if f.isBranchHead(p) {
		beside--
	}
	return beside == 0
}

// isConversationEnd reports whether the conversation of a branch ends at p.
func (f *tipFinder) isConversationEnd(p Pos) bool {
	return f.branchCounts[p] == 0 && f.isListedBranch(p) && f.tree.entries[p].isConversation()
}

// lastConversationEntry returns the last entry on the path to the leaf that ends the
// conversation of its branch, else the leaf.
func (f *tipFinder) lastConversationEntry() Pos {
	for p := f.tree.leaf; p != NoPos; p = f.tree.parent[p] {
		if f.isConversationEnd(p) {
			return p
		}
	}
	return f.tree.leaf
}

// branchEnd returns the last entry of the branch whose conversation ends at p: the
// newest bookkeeping below it.
func (f *tipFinder) branchEnd(p Pos) Pos {
	for {
		kids := slices.DeleteFunc(slices.Clone(f.tree.childIndex.childrenAt(p)), func(k Pos) bool { return f.subtrees.conversational[k] || f.tree.traits[k].HasAny(TraitMetadata) })
		if len(kids) == 0 {
			return p
		}
		p = kids[len(kids)-1]
	}
}

// buildTip returns the tip of the branch that ends at end.
func (f *tipFinder) buildTip(end, last Pos) Tip {
	tip := Tip{Pos: end, Last: last, Prompt: NoPos, Time: NoTime, Current: end == f.tree.leaf}
	at := end
	for ; ; at = f.tree.parent[at] {
		e := f.tree.At(at)
		tip.Entries += int(f.tree.traits[at].CountWeight())
		tip.Time = max(tip.Time, e.Time)
		if e.Kind == KindUser {
			tip.Prompt = at
		}
		if f.tree.parent[at] == NoPos || !f.isOnlyBranch(at) {
			break
		}
	}
	tip.Head, tip.Fork = at, f.tree.parent[at]
	if tip.Prompt == NoPos {
		tip.Prompt = f.promptAbove(tip.Fork)
	}
	return tip
}

// promptAbove returns the last prompt on the path to p. It caches the results of all
// entries it visits, so that it visits each once.
func (f *tipFinder) promptAbove(p Pos) Pos {
	found, known := NoPos, false
	var passed []Pos
	for ; p != NoPos && !known; p = f.tree.parent[p] {
		if found, known = f.promptCache[p]; known {
			break
		}
		passed = append(passed, p)
		if f.tree.entries[p].Kind == KindUser {
			found, known = p, true
		}
	}
	if !known {
		found = NoPos
	}
	for _, at := range passed {
		f.promptCache[at] = found
	}
	return found
}
