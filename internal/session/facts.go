package session

// facts is what is true of every subtree. It is counted once for a state of the
// tree, when first asked for.
type facts struct {
	size   []int32
	newest []int64
	talk   []bool // the subtree holds more than bookkeeping
	agents int    // lines of agents in the tree

	// What was added below anchor is not yet counted above it: that would cost a walk
	// to the root for each new entry.
	anchor  Pos
	above   marks // the anchor and what is above it
	size1   int32
	newest1 int64
}

// sizeOf counts the entries of the subtree at p.
func (f *facts) sizeOf(p Pos) int32 {
	if f.above.at(p) {
		return f.size[p] + f.size1
	}
	return f.size[p]
}

// newestOf is the time of the newest entry in the subtree at p.
func (f *facts) newestOf(p Pos) int64 {
	if f.above.at(p) {
		return max(f.newest[p], f.newest1)
	}
	return f.newest[p]
}

func (t *Tree) subtrees() *facts {
	if f := t.facts.Load(); f != nil {
		return f
	}
	n := len(t.entries)
	f := &facts{anchor: NoPos, size: make([]int32, n), newest: make([]int64, n), talk: make([]bool, n)}
	for i := range t.entries {
		f.size[i], f.newest[i], f.talk[i] = t.looks[i].weight(), t.entries[i].Time, t.entries[i].talks()
		if t.entries[i].Has(FlagAgent) {
			f.agents++
		}
	}
	if t.late {
		order := t.preorder(NoPos)
		for i := len(order) - 1; i >= 0; i-- {
			f.addUp(order[i], t.parent[order[i]])
		}
	} else {
		for p := Pos(n - 1); p >= 0; p-- {
			f.addUp(p, t.parent[p])
		}
	}
	t.facts.Store(f)
	return f
}

// few is how many new entries are added to what was counted one by one; more are
// counted anew, because each goes all the way up to its root.
const few = 64

func (t *Tree) forgetCounts() {
	t.facts.Store(nil)
	t.branches.Store(nil)
}

// recount takes entries from first on into what was counted, or forgets it.
func (t *Tree) recount(first Pos) {
	f := t.facts.Load()
	if f == nil {
		return
	}
	if t.late || len(t.entries)-int(first) > few || len(f.size) != int(first) {
		t.forgetCounts()
		return
	}
	for p := first; p < Pos(len(t.entries)); p++ {
		e := t.At(p)
		if e.Has(FlagAgent) {
			f.agents++
		}
		f.size, f.newest, f.talk = append(f.size, t.looks[p].weight()), append(f.newest, e.Time), append(f.talk, e.talks())
		t.countAbove(f, p)
	}
	if t.leaf != f.anchor && len(f.size)-int(f.anchor) > anchorSteps {
		t.anchor(f)
	}
}

// anchorSteps is how many entries are added below the anchor before it moves down.
const anchorSteps = 256

// countAbove adds the new entry at p to the counts of its ancestors.
func (t *Tree) countAbove(f *facts, p Pos) {
	weight, time := t.looks[p].weight(), t.entries[p].Time
	up := t.parent[p]
	for ; up != NoPos && up != f.anchor; up = t.parent[up] {
		f.size[up] += weight
		f.newest[up] = max(f.newest[up], time)
	}
	if up != NoPos {
		f.size1 += weight
		f.newest1 = max(f.newest1, time)
	}
	if !f.talk[p] {
		return
	}
	for up := t.parent[p]; up != NoPos && !f.talk[up]; up = t.parent[up] {
		f.talk[up] = true
		t.branches.Store(nil)
	}
}

// anchor counts what was left out above the anchor, and makes the leaf the new one.
func (t *Tree) anchor(f *facts) {
	for p := f.anchor; p != NoPos; p = t.parent[p] {
		f.size[p] += f.size1
		f.newest[p] = max(f.newest[p], f.newest1)
	}
	f.anchor, f.above, f.size1, f.newest1 = t.leaf, t.onPath(t.leaf), 0, NoTime
}

func (f *facts) addUp(p, up Pos) {
	if up == NoPos {
		return
	}
	f.size[up] += f.size[p]
	f.newest[up] = max(f.newest[up], f.newest[p])
	f.talk[up] = f.talk[up] || f.talk[p]
}

// Size counts the entries of the subtree at p, p included and metadata not.
func (t *Tree) Size(p Pos) int { return int(t.subtrees().sizeOf(p)) }

// Newest is the time of the newest entry in the subtree at p, ms or NoTime.
func (t *Tree) Newest(p Pos) int64 { return t.subtrees().newestOf(p) }

// NewestLeaf follows the last child from p down; bookkeeping branches beside
// conversation are passed by. The leaf itself wins where it lies below p.
func (t *Tree) NewestLeaf(p Pos) Pos {
	if p == NoPos || t.leafPath().at(p) {
		return t.leaf
	}
	f := t.subtrees()
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
func (t *Tree) newestChild(f *facts, p Pos) Pos {
	last := NoPos
	kids := t.kids.of(p)
	for i := len(kids) - 1; i >= 0; i-- {
		switch k := kids[i]; {
		case t.entries[k].Begins(), t.looks[k].is(looksMetadata):
		case f.talk[k] && !t.archived(k):
			return k
		case last == NoPos:
			last = k
		}
	}
	return last
}

// archived reports whether p was put out of sight by an archive entry.
func (t *Tree) archived(p Pos) bool { return len(t.hidden) > 0 && t.hidden[t.entries[p].ID] }

// Branches lists p and its siblings that are branches to a reader (neither only
// bookkeeping nor archived), in time order; len 1 when p stands alone. For a
// root: the roots, in file order. An agent and metadata are no alternatives to what
// is recorded beside them: they are listed only when asked for, and then alone.
func (t *Tree) Branches(p Pos) []Pos {
	all := t.siblings(p)
	if len(all) == 1 {
		return all
	}
	if t.entries[p].Has(FlagAgent) || t.looks[p].is(looksMetadata) {
		return []Pos{p}
	}
	f := t.subtrees()
	branches := make([]Pos, 0, len(all))
	for _, s := range all {
		if s == p || f.talk[s] && !t.archived(s) && !t.entries[s].Has(FlagAgent) {
			branches = append(branches, s)
		}
	}
	return branches
}
