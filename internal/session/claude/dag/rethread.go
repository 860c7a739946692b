package dag

import (
	"slices"

	"sessiontree/internal/session"
)

// rethread threads everything below a fork again.
func (ts *Threads) rethread(top int32, c *Change) bool {
	below, ok := ts.listRethreadable(top)
	if !ok {
		return false
	}
	folded := make([]Rung, len(below))
	for i, p := range below {
		folded[i] = ts.FoldedBy[p]
	}
	touched := map[int]bool{int(ts.ThreadOf[top]): true}
	for _, j := range ts.rebuildSegments(top, below) {
		touched[ts.joinSegment(j)] = true
	}
	for k := range touched {
		if !ts.rebuildThread(k, c) {
			return false
		}
	}
	ts.attachThreads()
	if !ts.attachTouched(touched, c) {
		return false
	}
	for i, p := range below {
		if ts.FoldedBy[p] != 0 {
			ts.setParent(p, ts.Graph.Parent[p], c)
		}
		if ts.FoldedBy[p] != folded[i] {
			c.Refolded = append(c.Refolded, p)
		}
	}
	return true
}

// listRethreadable lists the nodes below a fork. ok is false if there are more than maxRethreaded
// or if a thread begins among them.
func (ts *Threads) listRethreadable(top int32) (below []int32, ok bool) {
	below = append(below, ts.sessionChildren(top)...)
	for i := 0; i < len(below); i++ {
		below = append(below, ts.sessionChildren(below[i])...)
		if len(below) > maxRethreaded || ts.compactionHeads[below[i]] {
			return nil, false
		}
	}
	for _, p := range below {
		if s := ts.segmentOf[p]; s != 0 && ts.segments[s-1].nodes[0] == p {
			return nil, false // threads begin below: names and order may change
		}
	}
	return below, true
}

// rebuildSegments removes the nodes below a fork from their segments and decides the fork and those
// below it again. It returns the indexes of the new segments.
func (ts *Threads) rebuildSegments(top int32, below []int32) (added []int) {
	for _, p := range append([]int32{top}, below...) {
		ts.visited[p] = false
		delete(ts.Decided, p)
	}
	seg := int(ts.segmentOf[top]) - 1
	for _, p := range below {
		ts.segmentOf[p], ts.inlinedBy[p], ts.FoldedBy[p], ts.ThreadOf[p] = 0, 0, 0, NoNode
	}
	s := &ts.segments[seg]
	i := len(s.nodes) - 1 // top is near the end
	for s.nodes[i] != top {
		i--
	}
	s.nodes = s.nodes[:i]
	known := len(ts.segments)
	for queue := ts.extendSegment(seg, top); len(queue) > 0; queue = queue[1:] {
		queue = append(queue, ts.startSegment(queue[0])...)
	}
	for j := known; j < len(ts.segments); j++ {
		added = append(added, j)
	}
	return added
}

// rebuildThread builds a thread from its segments again.
func (ts *Threads) rebuildThread(k int, c *Change) bool {
	t := &ts.List[k]
	first := NoNode
	if len(t.Nodes) > 0 {
		first = t.Nodes[0]
	}
	ts.concatSegments(k)
	if first != NoNode && t.Nodes[0] != first {
		return false
	}
	for i := 1; i < len(t.segments); i++ {
		if a, b := ts.segments[t.segments[i-1]].nodes[0], ts.segments[t.segments[i]].nodes[0]; ts.Graph.Nodes[a].Stamp == ts.Graph.Nodes[b].Stamp {
			return false // the order of discovery decides
		}
	}
	c.Rebuilt = append(c.Rebuilt, k)
	for i := 1; i < len(t.Nodes); i++ {
		ts.setParent(t.Nodes[i], t.Nodes[i-1], c)
	}
	return true
}

// attachTouched attaches the touched threads and reports whether no thread became its own ancestor.
func (ts *Threads) attachTouched(touched map[int]bool, c *Change) bool {
	joined := false
	for k := range touched {
		t := &ts.List[k]
		ts.setParent(t.Nodes[0], t.At, c)
		joined = joined || len(t.segments) > 1
	}
	if !joined {
		return true
	}
	whole := true
	up := slices.Clone(ts.Parents)
	session.BreakCycles(up, 0, func(at int32) { up[at], whole = NoNode, false })
	return whole
}

// setParent sets the arranged parent of a node.
func (ts *Threads) setParent(k, up int32, c *Change) {
	if ts.Parents[k] != up {
		ts.Parents[k] = up
		c.Moved = append(c.Moved, k)
	}
}
