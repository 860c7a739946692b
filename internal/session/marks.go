package session

// Marks holds a mark for each position; nil marks none.
type Marks []bool

// Has reports whether p is marked.
func (m Marks) Has(p Pos) bool { return int(p) < len(m) && m[p] }

// leafPathMarks marks the entries from the root to a leaf.
type leafPathMarks struct {
	leaf  Pos
	marks Marks
}

// LeafPath marks the entries on the path to the leaf. They are updated while the
// session grows: callers must not keep them.
func (t *Tree) LeafPath() Marks {
	if known := t.leafPathCache.Load(); known != nil {
		return known.marks
	}
	known := &leafPathMarks{t.leaf, t.MarkPath(t.leaf)}
	t.leafPathCache.Store(known)
	return known.marks
}

// extendLeafPath extends the cached path to the leaf if the leaf moved down to a new
// entry. Otherwise it clears the caches that depend on the path.
func (b *treeBuilder) extendLeafPath() {
	t := b.tree
	known := t.leafPathCache.Load()
	if known == nil {
		t.branchCount.Store(nil)
		t.trail.Store(nil)
		return
	}
	known.marks = append(known.marks, make(Marks, len(t.entries)-len(known.marks))...)
	p := t.leaf
	for ; p != NoPos && p >= b.first && p != known.leaf; p = t.parent[p] {
		known.marks[p] = true
	}
	if p != known.leaf {
		b.forgetLeafPath()
		t.branchCount.Store(nil)
		return
	}
	known.leaf = t.leaf
	b.extendTrail()
}

func (b *treeBuilder) forgetLeafPath() {
	b.tree.leafPathCache.Store(nil)
	b.tree.trail.Store(nil)
}
