package session

// Segment is a chain of entries, each the only child that continues the one before. All
// paths through the chain have it in common, so an export writes each segment once.
type Segment struct {
	First, Last Pos
	Size        int // number of entries
	ParentIndex int // index of the segment before it, or -1; smaller than its own
	Tip         Pos // end of the path through it: NewestLeaf of each of its entries
}

// LinearSegments divides the tree where paths part or may end: at forks, at the leaf,
// and before the start of a thread. Parents precede children.
func LinearSegments(t *Tree) []Segment {
	var all []Segment
	type start struct {
		pos Pos
		up  int
	}
	var todo []start
	for i := len(t.roots) - 1; i >= 0; i-- {
		todo = append(todo, start{t.roots[i], -1})
	}
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		run := Segment{First: s.pos, Last: s.pos, Size: 1, ParentIndex: s.up, Tip: NoPos}
		kids := t.childIndex.childrenAt(run.Last)
		for len(kids) == 1 && run.Last != t.leaf && !t.entries[kids[0]].StartsThread() {
			run.Last, run.Size = kids[0], run.Size+1
			kids = t.childIndex.childrenAt(run.Last)
		}
		for i := len(kids) - 1; i >= 0; i-- {
			todo = append(todo, start{kids[i], len(all)})
		}
		all = append(all, run)
	}
	setSegmentTips(t, all)
	return all
}

// setSegmentTips sets the tip of each segment.
func setSegmentTips(t *Tree, all []Segment) {
	f := t.Subtrees()
	first := make(map[Pos]int, len(all))
	for i := range all {
		first[all[i].First] = i
	}
	for i := len(all) - 1; i >= 0; i-- { // children before parents
		s := &all[i]
		s.Tip = s.Last
		if next := f.newestChild(s.Last); next != NoPos {
			s.Tip = all[first[next]].Tip
		}
	}
	at := map[Pos]int{}
	for i := range all {
		at[all[i].Last] = i
	}
	i, ok := at[t.leaf] // the leaf is the tip of all segments above it
	for ok && i >= 0 {
		all[i].Tip, i = t.leaf, all[i].ParentIndex
	}
}
