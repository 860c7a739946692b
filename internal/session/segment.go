package session

// Segment is a run of entries, each the only one to go on from the one before. Every
// path that holds one of them below another holds all in between, so a tree cut into
// stretches is written down once whatever paths there are.
type Segment struct {
	First, Last Pos
	Size        int // entries
	ParentIndex int // index of the stretch it goes on from, -1 none; smaller than its own
	Tip         Pos // where the path ends that goes through it: NewestLeaf of each of its entries
}

// LinearSegments cuts the tree where paths part or may end: at forks, at the leaf, and
// before what begins another line. Parents stand before children.
func (t *Tree) LinearSegments() []Segment {
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
	t.setSegmentTips(all)
	return all
}

// setSegmentTips sets where the path ends that goes through each stretch.
func (t *Tree) setSegmentTips(all []Segment) {
	f := t.computeStats()
	first := make(map[Pos]int, len(all))
	for i := range all {
		first[all[i].First] = i
	}
	for i := len(all) - 1; i >= 0; i-- { // children before parents
		s := &all[i]
		s.Tip = s.Last
		if next := t.newestChild(f, s.Last); next != NoPos {
			s.Tip = all[first[next]].Tip
		}
	}
	at := map[Pos]int{}
	for i := range all {
		at[all[i].Last] = i
	}
	i, ok := at[t.leaf] // the leaf wins in all above it
	for ok && i >= 0 {
		all[i].Tip, i = t.leaf, all[i].ParentIndex
	}
}
