package claude

import (
	"maps"

	"sessiontree/internal/session"
)

// maxRefitRounds is how often other places are tried for lines that would be laid out
// elsewhere than they were.
const maxRefitRounds = 4

// refitParents decides which lines hang where they were recorded, and which where they
// are shown. Of a part of a graph a fork may be laid out otherwise than it was in the
// whole; what reading the new file will make of it is tried out.
func (c *fileCopier) refitParents() {
	best := c.tryParents(map[string]bool{})
	all := maps.Clone(c.copied)
	for round := 0; len(best.misplaced) > 0 && round < maxRefitRounds; round++ {
		found := best
		for _, moved := range []map[string]bool{all, best.toggleMoved(best.misplaced), best.toggleMoved(best.siblings), best.withMoved(best.siblings, true), best.withMoved(best.siblings, false)} {
			if t := c.tryParents(moved); len(t.misplaced) < len(found.misplaced) {
				found = t
				break
			}
		}
		if len(found.misplaced) == len(best.misplaced) {
			break
		}
		best = found
	}
	c.moved = best.moved
}

// trial is what a reader would make of the file with some lines moved.
type trial struct {
	moved     map[string]bool // ids of the lines that hang where they are shown
	misplaced map[string]bool // of those that would hang elsewhere
	siblings  map[string]bool // of those that hang, or are to hang, on the same as these
}

func (t *trial) toggleMoved(some map[string]bool) map[string]bool {
	out := maps.Clone(t.moved)
	for id := range some {
		out[id] = !out[id]
	}
	return out
}

func (t *trial) withMoved(some map[string]bool, moved bool) map[string]bool {
	out := maps.Clone(t.moved)
	for id := range some {
		out[id] = moved
	}
	return out
}

// tryParents lays the file out as reading it will.
func (c *fileCopier) tryParents(moved map[string]bool) trial {
	c.moved = moved
	t := trial{moved, map[string]bool{}, map[string]bool{}}
	in, at := c.resultNodes()
	in, _ = anchorAgents(in, &agentLinks{})
	_, w := threadNodes(newGraph(in))
	up := w.arrangedParents()
	is := func(n int) string {
		if up[n] == noNode {
			return ""
		}
		return w.nodes[up[n]].id
	}
	about := map[string]bool{}
	for n, x := range w.nodes {
		if want := c.copiedAbove.nearestAbove(at[w.inputIndex[n]]); want != is(n) {
			t.misplaced[x.id], about[want], about[is(n)] = true, true, true
		}
	}
	for n, x := range w.nodes {
		if len(about) > 0 && (about[c.copiedAbove.nearestAbove(at[w.inputIndex[n]])] || about[is(n)] || about[x.parent]) {
			t.siblings[x.id] = true
		}
	}
	return t
}

// resultNodes are the lines of the file as reading it will find them, and where they come
// from.
func (c *fileCopier) resultNodes() (in []*node, at []session.Pos) {
	for _, agents := range []bool{false, true} {
		for _, p := range c.keep {
			x := c.factsAt(p)
			if !x.hasID || c.isOtherAgent(x) != agents {
				continue
			}
			own := x.node
			own.session = c.newSessionID(x)
			if hang, parent := c.newParent(p, x); hang {
				own.parent = parent
			}
			if x.isAgentLine() && !agents {
				own.sidechain, own.agent = false, ""
			}
			in, at = append(in, &own), append(at, p)
		}
	}
	return in, at
}
