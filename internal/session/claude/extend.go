package claude

import "slices"

// maxRethreaded is the maximum number of nodes that addChild threads again. Beyond it, building all
// threads again is simpler.
const maxRethreaded = 4096

// change is what adding a node changed.
type change struct {
	rebuilt  []int   // threads that changed otherwise than by the new node at their end
	moved    []int32 // nodes with another arranged parent
	refolded []int32 // nodes that became folded, or unfolded, or that another rung folds now
}

// addChild adds a node whose parent is in the graph. Most nodes continue a thread or fork near its
// end; then only the part below the fork is threaded again. In all other cases ok is false and the
// threads must be built again.
func (ts *threader) addChild(n *node) (c change, ok bool) {
	k := ts.graph.appendChild(n)
	up := ts.graph.parent[k]
	ts.stats.hasMessageBelow, ts.stats.heightBelow = append(ts.stats.hasMessageBelow, false), append(ts.stats.heightBelow, 0)
	ts.visited, ts.segmentOf, ts.inlinedBy = append(ts.visited, false), append(ts.segmentOf, 0), append(ts.inlinedBy, 0)
	ts.threadOf, ts.foldedBy, ts.parents = append(ts.threadOf, noNode), append(ts.foldedBy, 0), append(ts.parents, up)
	if top := ts.findChangedFork(k); top != noNode {
		ok = ts.rethread(top, &c)
	} else {
		ok = ts.appendToThread(k, up, &c)
	}
	return c, ok
}

// appendChild appends a node whose parent is in the graph.
func (g *graph) appendChild(n *node) int32 {
	k, up := int32(len(g.nodes)), g.byID[n.parent]
	g.nodes, g.byID[n.id], g.parent = append(g.nodes, n), k, append(g.parent, up)
	g.owner, g.children = append(g.owner, g.owner[up]), append(g.children, nil)
	g.children[up] = append(g.children[up], k)
	g.inputIndex = append(g.inputIndex, g.inputs)
	g.inputs++
	return k
}

// findChangedFork updates the statistics of the ancestors of a new node. It returns the highest
// fork that the ladder now decides differently, noNode if there is none.
func (ts *threader) findChangedFork(k int32) (top int32) {
	b := &ts.stats
	top = noNode
	changed := true
	for at, steps := k, 0; changed || steps <= maxLadderDepth+1; steps++ {
		up := ts.graph.parent[at]
		if up == noNode || !ts.graph.sameSession(at, up) {
			break
		}
		hasMessage := b.hasMessageBelow[up] || b.hasMessageBelow[at] || ts.graph.nodes[at].class.isMessage()
		height := max(b.heightBelow[up], min(b.heightBelow[at], maxLadderDepth)+1)
		changed = hasMessage != b.hasMessageBelow[up] || height != b.heightBelow[up]
		b.hasMessageBelow[up], b.heightBelow[up] = hasMessage, height
		if ts.segmentOf[up] != 0 && ts.inlinedBy[up] == 0 { // a fork that the ladder decided
			if children := ts.sessionChildren(up); len(children) > 1 && !ts.decided[up].sameOutcome(ts.decideFork(up, children)) {
				top = up
			}
		}
		at = up
	}
	return top
}

// sameOutcome reports whether two decisions have the same effect.
func (d decision) sameOutcome(o decision) bool {
	return d.rung == o.rung && d.next == o.next && d.rungResult.isBranch == o.rungResult.isBranch && slices.Equal(d.inline, o.inline) &&
		slices.Equal(d.segmentStarts, o.segmentStarts) && slices.Equal(d.folded, o.folded)
}

// appendToThread appends a node to its parent's thread, or folds it with its parent.
func (ts *threader) appendToThread(k, up int32, c *change) bool {
	ts.visited[k] = true
	if r := max(ts.foldedBy[up], ts.inlinedBy[up]); r != 0 {
		ts.foldedBy[k] = r
		c.refolded = append(c.refolded, k)
		return true
	}
	seg, thread := int(ts.segmentOf[up])-1, ts.threadOf[up]
	s, t := &ts.segments[seg], &ts.threads[thread]
	if s.nodes[len(s.nodes)-1] != up {
		return false
	}
	s.nodes = append(s.nodes, k)
	ts.segmentOf[k], ts.threadOf[k] = int32(seg)+1, thread
	if t.segments[len(t.segments)-1] != seg {
		return ts.rebuildThread(int(thread), c)
	}
	t.nodes = append(t.nodes, k)
	return true
}
