package session

// Subtrees are the statistics of all subtrees of a tree.
type Subtrees struct {
	tree           *Tree
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

// Size returns the number of entries in the subtree at p, without metadata.
func (f *Subtrees) Size(p Pos) int {
	if f.aboveAnchor.Has(p) {
		return int(f.size[p] + f.pendingSize)
	}
	return int(f.size[p])
}

// NewestTime returns the time of the newest entry in the subtree at p, in ms or NoTime.
func (f *Subtrees) NewestTime(p Pos) int64 {
	if f.aboveAnchor.Has(p) {
		return max(f.newest[p], f.pendingNewest)
	}
	return f.newest[p]
}

// IsConversation reports whether the subtree at p has more than bookkeeping.
func (f *Subtrees) IsConversation(p Pos) bool { return f.conversational[p] }

// Subtrees returns the statistics of all subtrees. They are updated while the session
// grows: callers must not keep them.
func (t *Tree) Subtrees() *Subtrees {
	if f := t.subtreeStats.Load(); f != nil {
		return f
	}
	n := len(t.entries)
	f := &Subtrees{tree: t, anchor: NoPos, size: make([]int32, n), newest: make([]int64, n), conversational: make([]bool, n)}
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

func (b *treeBuilder) dropStats() {
	b.tree.subtreeStats.Store(nil)
	b.tree.branchCount.Store(nil)
}

// updateStats adds the new entries to the statistics, or drops these.
func (b *treeBuilder) updateStats() {
	t := b.tree
	f := t.subtreeStats.Load()
	if f == nil {
		return
	}
	if t.hasLateParents || len(t.entries)-int(b.first) > maxIncremental || len(f.size) != int(b.first) {
		b.dropStats()
		return
	}
	f.addEntries(b.first)
}

// addEntries adds the entries from position first on.
func (f *Subtrees) addEntries(first Pos) {
	t := f.tree
	for p := first; p < Pos(len(t.entries)); p++ {
		e := t.entries[p]
		if e.HasFlag(FlagAgent) {
			f.agents++
		}
		f.size, f.newest, f.conversational = append(f.size, t.traits[p].CountWeight()), append(f.newest, e.Time), append(f.conversational, e.isConversation())
		f.addToAncestors(p)
	}
	if t.leaf != f.anchor && len(f.size)-int(f.anchor) > maxBelowAnchor {
		f.moveAnchor()
	}
}

// maxBelowAnchor is how many entries are added below the anchor before it moves down.
const maxBelowAnchor = 256

// addToAncestors adds the new entry at p to the statistics of its ancestors.
func (f *Subtrees) addToAncestors(p Pos) {
	t := f.tree
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
func (f *Subtrees) moveAnchor() {
	t := f.tree
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
