package session

// subtreeStats holds the statistics of all subtrees. It is computed when first needed.
type subtreeStats struct {
	size           []int32
	newest         []int64
	conversational []bool // the subtree holds more than bookkeeping
	agents         int    // number of agent threads in the tree

	// Entries added below anchor are not yet counted in its ancestors: that would take
	// a walk to the root for each new entry.
	anchor        Pos
	aboveAnchor   entryMarks // the anchor and its ancestors
	pendingSize   int32
	pendingNewest int64
}

// sizeBelow returns the number of entries in the subtree at p.
func (f *subtreeStats) sizeBelow(p Pos) int32 {
	if f.aboveAnchor.isMarked(p) {
		return f.size[p] + f.pendingSize
	}
	return f.size[p]
}

// newestBelow returns the time of the newest entry in the subtree at p.
func (f *subtreeStats) newestBelow(p Pos) int64 {
	if f.aboveAnchor.isMarked(p) {
		return max(f.newest[p], f.pendingNewest)
	}
	return f.newest[p]
}

func (t *Tree) computeStats() *subtreeStats {
	if f := t.subtreeStats.Load(); f != nil {
		return f
	}
	n := len(t.entries)
	f := &subtreeStats{anchor: NoPos, size: make([]int32, n), newest: make([]int64, n), conversational: make([]bool, n)}
	for i := range t.entries {
		f.size[i], f.newest[i], f.conversational[i] = t.traits[i].countWeight(), t.entries[i].Time, t.entries[i].isConversation()
		if t.entries[i].HasFlag(FlagAgent) {
			f.agents++
		}
	}
	if t.hasLateParents {
		order := t.preorder(NoPos)
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

// updateStats adds the entries from first on to the statistics, or drops these.
func (t *Tree) updateStats(first Pos) {
	f := t.subtreeStats.Load()
	if f == nil {
		return
	}
	if t.hasLateParents || len(t.entries)-int(first) > maxIncremental || len(f.size) != int(first) {
		t.dropStats()
		return
	}
	for p := first; p < Pos(len(t.entries)); p++ {
		e := t.At(p)
		if e.HasFlag(FlagAgent) {
			f.agents++
		}
		f.size, f.newest, f.conversational = append(f.size, t.traits[p].countWeight()), append(f.newest, e.Time), append(f.conversational, e.isConversation())
		t.addToAncestors(f, p)
	}
	if t.leaf != f.anchor && len(f.size)-int(f.anchor) > maxBelowAnchor {
		t.moveAnchor(f)
	}
}

// maxBelowAnchor is how many entries are added below the anchor before it moves down.
const maxBelowAnchor = 256

// addToAncestors adds the new entry at p to the statistics of its ancestors.
func (t *Tree) addToAncestors(f *subtreeStats, p Pos) {
	weight, time := t.traits[p].countWeight(), t.entries[p].Time
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
func (t *Tree) moveAnchor(f *subtreeStats) {
	for p := f.anchor; p != NoPos; p = t.parent[p] {
		f.size[p] += f.pendingSize
		f.newest[p] = max(f.newest[p], f.pendingNewest)
	}
	f.anchor, f.aboveAnchor, f.pendingSize, f.pendingNewest = t.leaf, t.markPath(t.leaf), 0, NoTime
}

func (f *subtreeStats) addToParent(p, up Pos) {
	if up == NoPos {
		return
	}
	f.size[up] += f.size[p]
	f.newest[up] = max(f.newest[up], f.newest[p])
	f.conversational[up] = f.conversational[up] || f.conversational[p]
}

// SubtreeSize returns the number of entries in the subtree at p, without metadata.
func (t *Tree) SubtreeSize(p Pos) int { return int(t.computeStats().sizeBelow(p)) }

// NewestTime returns the time of the newest entry in the subtree at p, in ms or NoTime.
func (t *Tree) NewestTime(p Pos) int64 { return t.computeStats().newestBelow(p) }

// NewestLeaf follows the last child from p down, skipping bookkeeping branches next to
// conversation. It returns the leaf if that is in the subtree.
func (t *Tree) NewestLeaf(p Pos) Pos {
	if p == NoPos || t.leafPath().isMarked(p) {
		return t.leaf
	}
	f := t.computeStats()
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
func (t *Tree) newestChild(f *subtreeStats, p Pos) Pos {
	last := NoPos
	kids := t.childIndex.childrenAt(p)
	for i := len(kids) - 1; i >= 0; i-- {
		switch k := kids[i]; {
		case t.entries[k].StartsThread(), t.traits[k].hasAnyTrait(traitMetadata):
		case f.conversational[k] && !t.isArchived(k):
			return k
		case last == NoPos:
			last = k
		}
	}
	return last
}

// isArchived reports whether an archive entry hides p.
func (t *Tree) isArchived(p Pos) bool {
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
	if t.entries[p].HasFlag(FlagAgent) || t.traits[p].hasAnyTrait(traitMetadata) {
		return []Pos{p}
	}
	f := t.computeStats()
	branches := make([]Pos, 0, len(all))
	for _, s := range all {
		if s == p || f.conversational[s] && !t.isArchived(s) && !t.entries[s].HasFlag(FlagAgent) {
			branches = append(branches, s)
		}
	}
	return branches
}
