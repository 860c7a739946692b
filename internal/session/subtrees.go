package session

// Subtrees are the statistics of all subtrees of a tree.
type Subtrees struct {
	size           []int32
	newest         []int64
	conversational []bool // the subtree holds more than bookkeeping
	agents         int    // number of agent threads in the tree

	// Entries added below anchor are not yet counted in its ancestors: that would take
	// a walk to the root for each new entry.
	anchor        Pos
	aboveAnchor   Marks // the anchor and its ancestors
	pendingSize   int32
	pendingNewest int64
}

// Size returns the number of entries in the subtree at p.
func (f *Subtrees) Size(p Pos) int32 {
	if f.aboveAnchor.Has(p) {
		return f.size[p] + f.pendingSize
	}
	return f.size[p]
}

// Newest returns the time of the newest entry in the subtree at p.
func (f *Subtrees) Newest(p Pos) int64 {
	if f.aboveAnchor.Has(p) {
		return max(f.newest[p], f.pendingNewest)
	}
	return f.newest[p]
}

// Subtrees returns the statistics of all subtrees. They are updated while the session
// grows: callers must not keep them.
func (t *Tree) Subtrees() *Subtrees {
	if f := t.subtreeStats.Load(); f != nil {
		return f
	}
	n := len(t.entries)
	f := &Subtrees{anchor: NoPos, size: make([]int32, n), newest: make([]int64, n), conversational: make([]bool, n)}
	for i := range t.entries {
		f.size[i], f.newest[i], f.conversational[i] = t.traits[i].CountWeight(), t.entries[i].Time, t.entries[i].isConversation()
		if t.entries[i].HasFlag(FlagAgent) {
			f.agents++
		}
	}
	if t.hasLateParents {
		order := t.Preorder(NoPos)
		for i := len(order) - 1; i >= 0; i-- {
			f.addToParent(order[i], t.parent[order[i]])
		}
	} else {
		for p := Pos(n - 1); p >= 0; p-- {
			f.addToParent(p, t.parent[p])
		}
	}
	t.subtreeStats.Store(f)
	return f
}

// maxIncremental is the maximum number of new entries that update the statistics one by
// one; for more they are computed again, because each update goes up to the root.
const maxIncremental = 64

func (t *Tree) dropStats() {
	t.subtreeStats.Store(nil)
	t.branchCount.Store(nil)
}

// updateStats adds the new entries to the statistics, or drops these.
func (b *treeBuilder) updateStats() {
	t := b.tree
	f := t.subtreeStats.Load()
	if f == nil {
		return
	}
	if t.hasLateParents || len(t.entries)-int(b.first) > maxIncremental || len(f.size) != int(b.first) {
		t.dropStats()
		return
	}
	for p := b.first; p < Pos(len(t.entries)); p++ {
		e := t.At(p)
		if e.HasFlag(FlagAgent) {
			f.agents++
		}
		f.size, f.newest, f.conversational = append(f.size, t.traits[p].CountWeight()), append(f.newest, e.Time), append(f.conversational, e.isConversation())
		t.addToAncestors(f, p)
	}
	if t.leaf != f.anchor && len(f.size)-int(f.anchor) > maxBelowAnchor {
		t.moveAnchor(f)
	}
}

// maxBelowAnchor is how many entries are added below the anchor before it moves down.
const maxBelowAnchor = 256

// addToAncestors adds the new entry at p to the statistics of its ancestors.
func (t *Tree) addToAncestors(f *Subtrees, p Pos) {
	weight, time := t.traits[p].CountWeight(), t.entries[p].Time
	up := t.parent[p]
	for ; up != NoPos && up != f.anchor; up = t.parent[up] {
		f.size[up] += weight
		f.newest[up] = max(f.newest[up], time)
	}
	if up != NoPos {
		f.pendingSize += weight
		f.pendingNewest = max(f.pendingNewest, time)
	}
	if !f.conversational[p] {
		return
	}
	for up := t.parent[p]; up != NoPos && !f.conversational[up]; up = t.parent[up] {
		f.conversational[up] = true
		t.branchCount.Store(nil)
	}
}

// moveAnchor updates the ancestors of the anchor and makes the leaf the new anchor.
func (t *Tree) moveAnchor(f *Subtrees) {
	for p := f.anchor; p != NoPos; p = t.parent[p] {
		f.size[p] += f.pendingSize
		f.newest[p] = max(f.newest[p], f.pendingNewest)
	}
	f.anchor, f.aboveAnchor, f.pendingSize, f.pendingNewest = t.leaf, t.MarkPath(t.leaf), 0, NoTime
}

func (f *Subtrees) addToParent(p, up Pos) {
	if up == NoPos {
		return
	}
	f.size[up] += f.size[p]
	f.newest[up] = max(f.newest[up], f.newest[p])
	f.conversational[up] = f.conversational[up] || f.conversational[p]
}

// SubtreeSize returns the number of entries in the subtree at p, without metadata.
func (t *Tree) SubtreeSize(p Pos) int { return int(t.Subtrees().Size(p)) }

// NewestTime returns the time of the newest entry in the subtree at p, in ms or NoTime.
func (t *Tree) NewestTime(p Pos) int64 { return t.Subtrees().Newest(p) }

// NewestLeaf follows the last child from p down, skipping bookkeeping branches next to
// conversation. It returns the leaf if that is in the subtree.
func (t *Tree) NewestLeaf(p Pos) Pos {
	if p == NoPos || t.LeafPath().Has(p) {
		return t.leaf
	}
	f := t.Subtrees()
	for {
		next := t.newestChild(f, p)
		if next == NoPos {
			return p
		}
		p = next
	}
}

// newestChild returns the child that continues p: the last one that is not only
// bookkeeping, else the last one. It skips metadata.
func (t *Tree) newestChild(f *Subtrees, p Pos) Pos {
	last := NoPos
	kids := t.childIndex.childrenAt(p)
	for i := len(kids) - 1; i >= 0; i-- {
		switch k := kids[i]; {
		case t.entries[k].StartsThread(), t.traits[k].HasAny(TraitMetadata):
		case f.conversational[k] && !t.IsArchived(k):
			return k
		case last == NoPos:
			last = k
		}
	}
	return last
}

// IsConversation reports whether the subtree at p has more than bookkeeping.
func (f *Subtrees) IsConversation(p Pos) bool { return f.conversational[p] }

// HasArchived reports whether an archive entry hides any entry.
func (t *Tree) HasArchived() bool { return len(t.archivedIDs) > 0 }

// IsArchived reports whether an archive entry hides p.
func (t *Tree) IsArchived(p Pos) bool {
	return len(t.archivedIDs) > 0 && t.archivedIDs[t.entries[p].ID]
}

// SiblingBranches returns p and its siblings that are visible branches (neither only
// bookkeeping nor archived) in time order; only p if there are none. For a root these
// are the roots in file order. An agent or metadata is not an alternative to its
// siblings: it is only returned for itself, and then alone.
func (t *Tree) SiblingBranches(p Pos) []Pos {
	all := t.siblings(p)
	if len(all) == 1 {
		return all
	}
	if t.entries[p].HasFlag(FlagAgent) || t.traits[p].HasAny(TraitMetadata) {
		return []Pos{p}
	}
	f := t.Subtrees()
	branches := make([]Pos, 0, len(all))
	for _, s := range all {
		if s == p || f.conversational[s] && !t.IsArchived(s) && !t.entries[s].HasFlag(FlagAgent) {
			branches = append(branches, s)
		}
	}
	return branches
}

// AgentCount returns how many agents have entries in the tree.
func (t *Tree) AgentCount() int { return t.Subtrees().agents }

// BranchCount returns the number of branches off the trunks, plus the further roots.
// It does not count agents, see AgentCount.
func (t *Tree) BranchCount() int {
	if known := t.branchCount.Load(); known != nil {
		return *known
	}
	n := t.countForkBranches()
	t.branchCount.Store(&n)
	return n
}

func (t *Tree) countForkBranches() int {
	f, n := t.Subtrees(), 0
	leafy, ofAgent := t.LeafPath(), t.markAgentEntries()
	count := func(group []Pos) {
		own := 1 // one branch of the group continues the lane
		for _, k := range group {
			if f.conversational[k] && !t.IsArchived(k) && !ofAgent.Has(k) {
				n++
			} else if leafy.Has(k) {
				own = 0
			}
		}
		n -= own
	}
	for _, fan := range t.childIndex.forks {
		before := n
		count(fan)
		n = max(n, before)
	}
	if len(t.roots) > 1 {
		before := n
		count(t.roots)
		n = max(n, before)
	}
	return n
}
