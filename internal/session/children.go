package session

import "sort"

// children holds who hangs under whom. Nearly every entry has one child, so one
// number an entry does, and lists only where it forks.
type children struct {
	only   []Pos         // the child of an entry that has one, else NoPos
	fans   map[Pos][]Pos // the children of entries that have more
	newest map[Pos]Pos   // per fan the child recorded last
	moved  map[Pos]bool  // fans that are not in time order
	// stand is the time by which an entry without a usable one is sorted.
	stand map[Pos]int64
}

func (c *children) of(p Pos) []Pos {
	if c.only[p] != NoPos {
		return c.only[p : p+1 : p+1]
	}
	return c.fans[p]
}

// add hangs p under up, which p's siblings in file order have done already.
func (c *children) add(entries []*Entry, up, p Pos) {
	if c.only[up] == NoPos && c.fans[up] == nil {
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
	c.standIn(entries, up, p)
	fan := c.fans[up]
	if c.time(entries, p) < c.time(entries, fan[len(fan)-1]) {
		c.moved[up] = true
	}
	c.fans[up], c.newest[up] = append(fan, p), p
}

// standIn gives p, when its time cannot be used, the time of the sibling
// recorded before it: it stays beside that one wherever the others go.
func (c *children) standIn(entries []*Entry, up, p Pos) {
	if entries[p].Time != NoTime {
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

// sort brings the fans that got children out of order into the order of time;
// equal times stay in file order.
func (c *children) sort(entries []*Entry) {
	for up := range c.moved {
		fan := c.fans[up]
		sort.Slice(fan, func(i, j int) bool {
			a, b := c.time(entries, fan[i]), c.time(entries, fan[j])
			return a < b || a == b && fan[i] < fan[j]
		})
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
