package claude

import (
	"maps"

	"sessiontree/internal/session"
)

// rounds is how often other places are tried for lines that would be laid out
// elsewhere than they were.
const rounds = 4

// settle decides which lines hang where they were recorded, and which where they
// are shown. Of a part of a graph a fork may be laid out otherwise than it was in the
// whole; what reading the new file will make of it is tried out.
func (c *copying) settle() {
	best := c.tried(map[string]bool{})
	all := maps.Clone(c.copied)
	for round := 0; len(best.wrong) > 0 && round < rounds; round++ {
		found := best
		for _, moved := range []map[string]bool{all, best.turned(best.wrong), best.turned(best.around), best.put(best.around, true), best.put(best.around, false)} {
			if t := c.tried(moved); len(t.wrong) < len(found.wrong) {
				found = t
				break
			}
		}
		if len(found.wrong) == len(best.wrong) {
			break
		}
		best = found
	}
	c.moved = best.moved
}

// trial is what a reader would make of the file with some lines moved.
type trial struct {
	moved  map[string]bool // ids of the lines that hang where they are shown
	wrong  map[string]bool // of those that would hang elsewhere
	around map[string]bool // of those that hang, or are to hang, on the same as these
}

func (t *trial) turned(some map[string]bool) map[string]bool {
	out := maps.Clone(t.moved)
	for id := range some {
		out[id] = !out[id]
	}
	return out
}

func (t *trial) put(some map[string]bool, moved bool) map[string]bool {
	out := maps.Clone(t.moved)
	for id := range some {
		out[id] = moved
	}
	return out
}

// tried lays the file out as reading it will.
func (c *copying) tried(moved map[string]bool) trial {
	c.moved = moved
	t := trial{moved, map[string]bool{}, map[string]bool{}}
	in, at := c.nodes()
	in, _ = anchorAgents(in, &links{})
	_, w := walked(newGraph(in))
	up := w.parents()
	is := func(n int) string {
		if up[n] == none {
			return ""
		}
		return w.nodes[up[n]].id
	}
	about := map[string]bool{}
	for n, x := range w.nodes {
		if want := c.above.of(at[w.from[n]]); want != is(n) {
			t.wrong[x.id], about[want], about[is(n)] = true, true, true
		}
	}
	for n, x := range w.nodes {
		if len(about) > 0 && (about[c.above.of(at[w.from[n]])] || about[is(n)] || about[x.parent]) {
			t.around[x.id] = true
		}
	}
	return t
}

// nodes are the lines of the file as reading it will find them, and where they come
// from.
func (c *copying) nodes() (in []*node, at []session.Pos) {
	for _, agents := range []bool{false, true} {
		for _, p := range c.keep {
			x := c.facts(p)
			if !x.hasID || c.beside(x) != agents {
				continue
			}
			own := x.node
			own.session = c.sessionOf(x)
			if hang, parent := c.hangs(p, x); hang {
				own.parent = parent
			}
			if x.ofAgent() && !agents {
				own.sidechain, own.agent = false, ""
			}
			in, at = append(in, &own), append(at, p)
		}
	}
	return in, at
}
