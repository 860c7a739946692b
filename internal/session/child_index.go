package session

import (
	"cmp"
	"slices"
)

// childIndex holds the children of each entry. Nearly every entry has one child, so it
// stores one number per entry, and lists only for forks.
type childIndex struct {
	single   []Pos         // the only child of an entry, else NoPos
	forks    map[Pos][]Pos // children of entries with more than one
	newest   map[Pos]Pos   // last recorded child of each fork
	unsorted map[Pos]bool  // forks whose children are not in order
	// standInTimes are the sort times of entries without a usable time.
	standInTimes map[Pos]int64
	// compare orders siblings of an arranged tree. nil: they are sorted by time, equal
	// times by compareEqualTimes.
	compare func(a, b Pos) int
	// mainFileFirst: entries of other files are attached to the recorded entries of the
	// main file, in any order of reading.
	mainFileFirst bool
}

func (c *childIndex) childrenAt(p Pos) []Pos {
	if c.single[p] != NoPos {
		return c.single[p : p+1 : p+1]
	}
	return c.forks[p]
}

// hasChildren reports whether p has children.
func (c *childIndex) hasChildren(p Pos) bool { return c.single[p] != NoPos || c.forks[p] != nil }

// addChild makes p a child of up. In a tree of recorded parents, the siblings before p
// in the file were added before.
func (c *childIndex) addChild(entries []*Entry, up, p Pos) {
	if !c.hasChildren(up) {
		c.single[up] = p
		return
	}
	if c.forks == nil {
		c.forks, c.newest, c.unsorted, c.standInTimes = map[Pos][]Pos{}, map[Pos]Pos{}, map[Pos]bool{}, map[Pos]int64{}
	}
	if first := c.single[up]; first != NoPos {
		c.single[up] = NoPos
		c.forks[up], c.newest[up] = []Pos{first}, first
	}
	if c.compare == nil {
		c.setStandInTime(entries, up, p)
	}
	fan := c.forks[up]
	if c.mainFileFirst || c.compareChildren(entries, fan[len(fan)-1], p) > 0 {
		c.unsorted[up] = true
	}
	c.forks[up] = append(fan, p)
	if !c.mainFileFirst || entries[p].Span.File == 0 {
		c.newest[up] = p
	}
}

// setStandInTime gives p the time of the sibling recorded before it if its own time is
// unusable, so that it stays next to that sibling.
func (c *childIndex) setStandInTime(entries []*Entry, up, p Pos) {
	if entries[p].Time != NoTime || c.mainFileFirst && (entries[p].Span.File != 0 || entries[c.newest[up]].Span.File != 0) {
		return
	}
	if before := c.newest[up]; c.sortTime(entries, before) != NoTime {
		c.standInTimes[p] = c.sortTime(entries, before)
	}
}

func (c *childIndex) sortTime(entries []*Entry, p Pos) int64 {
	if entries[p].Time == NoTime {
		if t, ok := c.standInTimes[p]; ok {
			return t
		}
	}
	return entries[p].Time
}

// compareChildren compares two children of one entry.
func (c *childIndex) compareChildren(entries []*Entry, a, b Pos) int {
	if c.compare != nil {
		return c.compare(a, b)
	}
	return cmp.Or(cmp.Compare(c.sortTime(entries, a), c.sortTime(entries, b)), c.compareEqualTimes(entries, a, b))
}

// compareEqualTimes orders entries with equal times: those of the main file first,
// those of other files by id, because the files have no order.
func (c *childIndex) compareEqualTimes(entries []*Entry, a, b Pos) int {
	x, y := entries[a], entries[b]
	switch {
	case !c.mainFileFirst || x.Span.File == y.Span.File:
		return cmp.Compare(a, b)
	case x.Span.File == 0 || y.Span.File == 0:
		return cmp.Compare(x.Span.File, y.Span.File)
	}
	return cmp.Compare(x.ID, y.ID)
}

// markUnsorted marks the children of up to be sorted again.
func (c *childIndex) markUnsorted(up Pos) {
	if up != NoPos && c.forks[up] != nil {
		c.unsorted[up] = true
	}
}

// sortForks sorts the children of the marked forks.
func (c *childIndex) sortForks(entries []*Entry) {
	for up := range c.unsorted {
		slices.SortFunc(c.forks[up], func(a, b Pos) int { return c.compareChildren(entries, a, b) })
	}
	clear(c.unsorted)
}

// replaceChildren makes ps, which are in file order, the children of up.
func (c *childIndex) replaceChildren(entries []*Entry, up Pos, ps []Pos) {
	for _, k := range c.childrenAt(up) {
		delete(c.standInTimes, k)
	}
	c.single[up] = NoPos
	delete(c.forks, up)
	delete(c.newest, up)
	delete(c.unsorted, up)
	for _, p := range ps {
		c.addChild(entries, up, p)
	}
}
