package session

import (
	"cmp"
	"slices"
)

// children holds who hangs under whom. Nearly every entry has one child, so one
// number an entry does, and lists only where it forks.
type children struct {
	only   []Pos         // the child of an entry that has one, else NoPos
	fans   map[Pos][]Pos // the children of entries that have more
	newest map[Pos]Pos   // per fan the child recorded last
	moved  map[Pos]bool  // fans that are out of order
	// stand is the time by which an entry without a usable one is sorted.
	stand map[Pos]int64
	// compare orders siblings of an arranged tree; nil: they are sorted by time,
	// equal times as compareFound says.
	compare func(a, b Pos) int
	// byFile: what other files hold is attached to the recorded entries of the main
	// one, in whatever order they were read.
	byFile bool
}

func (c *children) of(p Pos) []Pos {
	if c.only[p] != NoPos {
		return c.only[p : p+1 : p+1]
	}
	return c.fans[p]
}

// has reports whether p has children.
func (c *children) has(p Pos) bool { return c.only[p] != NoPos || c.fans[p] != nil }

// add hangs p under up. In a tree of recorded parents p's siblings in file order
// have been added before.
func (c *children) add(entries []*Entry, up, p Pos) {
	if !c.has(up) {
		c.only[up] = p
		return
	}
	if c.fans == nil {
		c.fans, c.newest, c.moved, c.stand = map[Pos][]Pos{}, map[Pos]Pos{}, map[Pos]bool{}, map[Pos]int64{}
	}
	if first := c.only[up]; first != NoPos {
		c.only[up] = NoPos
		c.fans[up], c.newest[up] = []Pos{first}, first
	}
	if c.compare == nil {
		c.standIn(entries, up, p)
	}
	fan := c.fans[up]
	if c.byFile || c.order(entries, fan[len(fan)-1], p) > 0 {
		c.moved[up] = true
	}
	c.fans[up] = append(fan, p)
	if !c.byFile || entries[p].Span.File == 0 {
		c.newest[up] = p
	}
}

// standIn gives p, when its time cannot be used, the time of the sibling
// recorded before it: it stays beside that one wherever the others go.
func (c *children) standIn(entries []*Entry, up, p Pos) {
	if entries[p].Time != NoTime || c.byFile && (entries[p].Span.File != 0 || entries[c.newest[up]].Span.File != 0) {
		return
	}
	if before := c.newest[up]; c.time(entries, before) != NoTime {
		c.stand[p] = c.time(entries, before)
	}
}

func (c *children) time(entries []*Entry, p Pos) int64 {
	if entries[p].Time == NoTime {
		if t, ok := c.stand[p]; ok {
			return t
		}
	}
	return entries[p].Time
}

// order compares two children of one entry.
func (c *children) order(entries []*Entry, a, b Pos) int {
	if c.compare != nil {
		return c.compare(a, b)
	}
	return cmp.Or(cmp.Compare(c.time(entries, a), c.time(entries, b)), c.compareFound(entries, a, b))
}

// compareFound orders entries whose times are equal: the main file before others, and
// these by id, for their files have no order.
func (c *children) compareFound(entries []*Entry, a, b Pos) int {
	x, y := entries[a], entries[b]
	switch {
	case !c.byFile || x.Span.File == y.Span.File:
		return cmp.Compare(a, b)
	case x.Span.File == 0 || y.Span.File == 0:
		return cmp.Compare(x.Span.File, y.Span.File)
	}
	return cmp.Compare(x.ID, y.ID)
}

// touch notes that the order of the children of up may have changed.
func (c *children) touch(up Pos) {
	if up != NoPos && c.fans[up] != nil {
		c.moved[up] = true
	}
}

// sort brings the fans that got children out of order into order.
func (c *children) sort(entries []*Entry) {
	for up := range c.moved {
		slices.SortFunc(c.fans[up], func(a, b Pos) int { return c.order(entries, a, b) })
	}
	clear(c.moved)
}

// replace makes ps, in file order, the children of up.
func (c *children) replace(entries []*Entry, up Pos, ps []Pos) {
	for _, k := range c.of(up) {
		delete(c.stand, k)
	}
	c.only[up] = NoPos
	delete(c.fans, up)
	delete(c.newest, up)
	delete(c.moved, up)
	for _, p := range ps {
		c.add(entries, up, p)
	}
}
