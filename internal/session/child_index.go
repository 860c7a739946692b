package session

import (
	"cmp"
	"slices"
)

// childIndex holds who hangs under whom. Nearly every entry has one child, so one
// number an entry does, and lists only where it forks.
type childIndex struct {
	single   []Pos         // the child of an entry that has one, else NoPos
	forks    map[Pos][]Pos // the children of entries that have more
	newest   map[Pos]Pos   // per fan the child recorded last
	unsorted map[Pos]bool  // fans that are out of order
	// standInTimes is the time by which an entry without a usable one is sorted.
	standInTimes map[Pos]int64
	// compare orders siblings of an arranged tree; nil: they are sorted by time,
	// equal times as compareFound says.
	compare func(a, b Pos) int
	// mainFileFirst: what other files hold is attached to the recorded entries of the main
	// one, in whatever order they were read.
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

// addChild hangs p under up. In a tree of recorded parents p's siblings in file order
// have been added before.
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

// setStandInTime gives p, when its time cannot be used, the time of the sibling
// recorded before it: it stays beside that one wherever the others go.
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

// compareEqualTimes orders entries whose times are equal: the main file before others, and
// these by id, for their files have no order.
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

// markUnsorted notes that the order of the children of up may have changed.
func (c *childIndex) markUnsorted(up Pos) {
	if up != NoPos && c.forks[up] != nil {
		c.unsorted[up] = true
	}
}

// sortForks brings the fans that got children out of order into order.
func (c *childIndex) sortForks(entries []*Entry) {
	for up := range c.unsorted {
		slices.SortFunc(c.forks[up], func(a, b Pos) int { return c.compareChildren(entries, a, b) })
	}
	clear(c.unsorted)
}

// replaceChildren makes ps, in file order, the children of up.
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
