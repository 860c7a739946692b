package session

// facts is what is true of every subtree. It is counted once for a state of the
// tree, when first asked for.
type facts struct {
	size   []int32
	newest []int64
	talk   []bool // the subtree holds more than bookkeeping
	agents int    // lines of agents in the tree
}

func (t *Tree) subtrees() *facts {
	if f := t.facts.Load(); f != nil {
		return f
	}
	n := len(t.entries)
	f := &facts{size: make([]int32, n), newest: make([]int64, n), talk: make([]bool, n)}
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
const few = 16

// recount takes entries from first on into what was counted, or forgets it.
func (t *Tree) recount(first Pos) {
	f := t.facts.Load()
	if f == nil {
		return
	}
	if t.late || len(t.entries)-int(first) > few || len(f.size) != int(first) {
		t.facts.Store(nil)
		return
	}
	for p := first; p < Pos(len(t.entries)); p++ {
		e := t.At(p)
		talk := e.talks()
		if e.Has(FlagAgent) {
			f.agents++
		}
		weight := t.looks[p].weight()
		f.size, f.newest, f.talk = append(f.size, weight), append(f.newest, e.Time), append(f.talk, talk)
		for up := t.parent[p]; up != NoPos; up = t.parent[up] {
			f.size[up] += weight
			f.newest[up] = max(f.newest[up], e.Time)
			f.talk[up] = f.talk[up] || talk
		}
	}
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
func (t *Tree) Size(p Pos) int { return int(t.subtrees().size[p]) }

// Newest is the time of the newest entry in the subtree at p, ms or NoTime.
func (t *Tree) Newest(p Pos) int64 { return t.subtrees().newest[p] }

// NewestLeaf follows the last child from p down; bookkeeping branches beside
// conversation are passed by. The leaf itself wins where it lies below p.
func (t *Tree) NewestLeaf(p Pos) Pos {
	if p == NoPos || t.within(t.leaf, p) {
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
