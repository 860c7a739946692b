package session

// subtreeStats is what is true of every subtree. It is counted once for a state of the
// tree, when first asked for.
type subtreeStats struct {
	size           []int32
	newest         []int64
	conversational []bool // the subtree holds more than bookkeeping
	agents         int    // lines of agents in the tree

	// What was added below anchor is not yet counted above it: that would cost a walk
	// to the root for each new entry.
	anchor        Pos
	aboveAnchor   entryMarks // the anchor and what is above it
	pendingSize   int32
	pendingNewest int64
}

// sizeBelow counts the entries of the subtree at p.
func (f *subtreeStats) sizeBelow(p Pos) int32 {
	if f.aboveAnchor.isMarked(p) {
		return f.size[p] + f.pendingSize
	}
	return f.size[p]
}

// newestBelow is the time of the newest entry in the subtree at p.
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

// maxIncremental is how many new entries are added to what was counted one by one; more are
// counted anew, because each goes all the way up to its root.
const maxIncremental = 64

func (t *Tree) dropStats() {
	t.subtreeStats.Store(nil)
	t.branchCount.Store(nil)
}

// updateStats takes entries from first on into what was counted, or forgets it.
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

// addToAncestors adds the new entry at p to the counts of its ancestors.
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

// moveAnchor counts what was left out above the anchor, and makes the leaf the new one.
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

// SubtreeSize counts the entries of the subtree at p, p included and metadata not.
func (t *Tree) SubtreeSize(p Pos) int { return int(t.computeStats().sizeBelow(p)) }

// NewestTime is the time of the newest entry in the subtree at p, ms or NoTime.
func (t *Tree) NewestTime(p Pos) int64 { return t.computeStats().newestBelow(p) }

// NewestLeaf follows the last child from p down; bookkeeping branches beside
// conversation are passed by. The leaf itself wins where it lies below p.
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

// newestChild is the child that goes on from p: the last one that is not only
// bookkeeping, else the last. Metadata is passed by.
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

// isArchived reports whether p was put out of sight by an archive entry.
func (t *Tree) isArchived(p Pos) bool {
	return len(t.archivedIDs) > 0 && t.archivedIDs[t.entries[p].ID]
}

// SiblingBranches lists p and its siblings that are branches to a reader (neither only
// bookkeeping nor archived), in time order; len 1 when p stands alone. For a
// root: the roots, in file order. An agent and metadata are no alternatives to what
// is recorded beside them: they are listed only when asked for, and then alone.
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
