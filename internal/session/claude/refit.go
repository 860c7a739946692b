package claude

import (
	"maps"

	"sessiontree/internal/session"
	"sessiontree/internal/session/claude/dag"
)

// maxRefitRounds limits how often refitParents tries other parents.
const maxRefitRounds = 4

// refitParents decides which lines keep their recorded parent and which get their arranged one. A
// fork in a part of a graph may be arranged differently than in the whole, so it tries what reading
// the new file will give.
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

// trial is the arrangement of the new file for a choice of moved lines.
type trial struct {
	moved     map[string]bool // ids of the lines that get their arranged parent
	misplaced map[string]bool // ids of lines whose parent would differ from the source
	siblings  map[string]bool // ids of lines that share a recorded or wanted parent with these
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

// tryParents arranges the new file as reading it will.
func (c *fileCopier) tryParents(moved map[string]bool) trial {
	c.moved = moved
	t := trial{moved, map[string]bool{}, map[string]bool{}}
	in, at := c.resultNodes()
	in, _ = dag.AnchorAgents(in, &dag.AgentStarts{})
	w := dag.NewThreads(dag.NewGraph(in))
	up := w.Parents
	is := func(n int) string {
		if up[n] == dag.NoNode {
			return ""
		}
		return w.Graph.Nodes[up[n]].ID
	}
	about := map[string]bool{}
	for n, x := range w.Graph.Nodes {
		if want := c.copiedAbove.nearestAbove(at[w.Graph.InputIndex[n]]); want != is(n) {
			t.misplaced[x.ID], about[want], about[is(n)] = true, true, true
		}
	}
	for n, x := range w.Graph.Nodes {
		if len(about) > 0 && (about[c.copiedAbove.nearestAbove(at[w.Graph.InputIndex[n]])] || about[is(n)] || about[x.Parent]) {
			t.siblings[x.ID] = true
		}
	}
	return t
}

// resultNodes returns the nodes that reading the new file will give, and their positions in the
// source.
func (c *fileCopier) resultNodes() (in []*dag.Node, at []session.Pos) {
	for _, agents := range []bool{false, true} {
		for _, p := range c.keep {
			x := c.factsAt(p)
			if !x.hasID || c.isOtherAgent(x) != agents {
				continue
			}
			own := x.Node
			own.Session = c.newSessionID(x)
			if needed, parent := c.newParent(p, x); needed {
				own.Parent = parent
			}
			if x.isAgentLine() && !agents {
				own.Sidechain, own.Agent = false, ""
			}
			in, at = append(in, &own), append(at, p)
		}
	}
	return in, at
}
