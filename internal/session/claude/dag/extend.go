package dag

import "slices"

// maxRethreaded is the maximum number of nodes that AddChild threads again. Beyond it, building all
// threads again is simpler.
const maxRethreaded = 4096

// Change is what adding a node changed.
type Change struct {
	Rebuilt  []int   // threads that changed otherwise than by the new node at their end
	Moved    []int32 // nodes with another arranged parent
	Refolded []int32 // nodes that became folded, or unfolded, or that another rung folds now
}

// AddChild adds a node whose parent is in the graph. Most nodes continue a thread or fork near its
// end; then only the part below the fork is threaded again. In all other cases ok is false and the
// threads must be built again.
func (ts *Threads) AddChild(n *Node) (c Change, ok bool) {
	k := ts.Graph.appendChild(n)
	up := ts.Graph.Parent[k]
	ts.stats.hasMessageBelow, ts.stats.heightBelow = append(ts.stats.hasMessageBelow, false), append(ts.stats.heightBelow, 0)
	ts.visited, ts.segmentOf, ts.inlinedBy = append(ts.visited, false), append(ts.segmentOf, 0), append(ts.inlinedBy, 0)
	ts.ThreadOf, ts.FoldedBy, ts.Parents = append(ts.ThreadOf, NoNode), append(ts.FoldedBy, 0), append(ts.Parents, up)
	if top := ts.findChangedFork(k); top != NoNode {
		ok = ts.rethread(top, &c)
	} else {
		ok = ts.appendToThread(k, up, &c)
	}
	return c, ok
}

// appendChild appends a node whose parent is in the graph.
func (g *Graph) appendChild(n *Node) int32 {
	k, up := int32(len(g.Nodes)), g.byID[n.Parent]
	g.Nodes, g.byID[n.ID], g.Parent = append(g.Nodes, n), k, append(g.Parent, up)
	g.owner, g.Children = append(g.owner, g.owner[up]), append(g.Children, nil)
	g.Children[up] = append(g.Children[up], k)
	g.InputIndex = append(g.InputIndex, g.inputs)
	g.inputs++
	return k
}

// findChangedFork updates the statistics of the ancestors of a new node. It returns the highest
// fork that the ladder now decides differently, NoNode if there is none.
func (ts *Threads) findChangedFork(k int32) (top int32) {
	b := &ts.stats
	top = NoNode
	changed := true
	for at, steps := k, 0; changed || steps <= maxLadderDepth+1; steps++ {
		up := ts.Graph.Parent[at]
		if up == NoNode || !ts.Graph.sameSession(at, up) {
			break
		}
		hasMessage := b.hasMessageBelow[up] || b.hasMessageBelow[at] || ts.Graph.Nodes[at].Class.IsMessage()
		height := max(b.heightBelow[up], min(b.heightBelow[at], maxLadderDepth)+1)
		changed = hasMessage != b.hasMessageBelow[up] || height != b.heightBelow[up]
		b.hasMessageBelow[up], b.heightBelow[up] = hasMessage, height
		if ts.segmentOf[up] != 0 && ts.inlinedBy[up] == 0 { // a fork that the ladder decided
			if children := ts.sessionChildren(up); len(children) > 1 && !ts.Decided[up].sameOutcome(ts.decideFork(up, children)) {
				top = up
			}
		}
		at = up
	}
	return top
}

// sameOutcome reports whether two decisions have the same effect.
func (d Decision) sameOutcome(o Decision) bool {
	return d.Rung == o.Rung && d.next == o.next && d.isBranch == o.isBranch && slices.Equal(d.inline, o.inline) &&
		slices.Equal(d.segmentStarts, o.segmentStarts) && slices.Equal(d.folded, o.folded)
}

// appendToThread appends a node to its parent's thread, or folds it with its parent.
func (ts *Threads) appendToThread(k, up int32, c *Change) bool {
	ts.visited[k] = true
	if r := max(ts.FoldedBy[up], ts.inlinedBy[up]); r != 0 {
		ts.FoldedBy[k] = r
		c.Refolded = append(c.Refolded, k)
		return true
	}
	seg, thread := int(ts.segmentOf[up])-1, ts.ThreadOf[up]
	s, t := &ts.segments[seg], &ts.List[thread]
	if s.nodes[len(s.nodes)-1] != up {
		return false
	}
	s.nodes = append(s.nodes, k)
	ts.segmentOf[k], ts.ThreadOf[k] = int32(seg)+1, thread
	if t.segments[len(t.segments)-1] != seg {
		return ts.rebuildThread(int(thread), c)
	}
	t.Nodes = append(t.Nodes, k)
	return true
}
