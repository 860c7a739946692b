package claude

import "slices"

// rethread threads everything below a fork again.
func (ts *threader) rethread(top int32, c *change) bool {
	below, ok := ts.listRethreadable(top)
	if !ok {
		return false
	}
	folded := make([]rungID, len(below))
	for i, p := range below {
		folded[i] = ts.foldedBy[p]
	}
	touched := map[int]bool{int(ts.threadOf[top]): true}
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
		if ts.foldedBy[p] != 0 {
			ts.setParent(p, ts.graph.parent[p], c)
		}
		if ts.foldedBy[p] != folded[i] {
			c.refolded = append(c.refolded, p)
		}
	}
	return true
}

// listRethreadable lists the nodes below a fork. ok is false if there are more than maxRethreaded
// or if a thread begins among them.
func (ts *threader) listRethreadable(top int32) (below []int32, ok bool) {
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
func (ts *threader) rebuildSegments(top int32, below []int32) (added []int) {
	for _, p := range append([]int32{top}, below...) {
		ts.visited[p] = false
		delete(ts.decided, p)
	}
	seg := int(ts.segmentOf[top]) - 1
	for _, p := range below {
		ts.segmentOf[p], ts.inlinedBy[p], ts.foldedBy[p], ts.threadOf[p] = 0, 0, 0, noNode
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
func (ts *threader) rebuildThread(k int, c *change) bool {
	t := &ts.threads[k]
	first := noNode
	if len(t.nodes) > 0 {
		first = t.nodes[0]
	}
	ts.concatSegments(k)
	if first != noNode && t.nodes[0] != first {
		return false
	}
	for i := 1; i < len(t.segments); i++ {
		if a, b := ts.segments[t.segments[i-1]].nodes[0], ts.segments[t.segments[i]].nodes[0]; ts.graph.nodes[a].stamp == ts.graph.nodes[b].stamp {
			return false // the order of discovery decides
		}
	}
	c.rebuilt = append(c.rebuilt, k)
	for i := 1; i < len(t.nodes); i++ {
		ts.setParent(t.nodes[i], t.nodes[i-1], c)
	}
	return true
}

// attachTouched attaches the touched threads and reports whether no thread became its own ancestor.
func (ts *threader) attachTouched(touched map[int]bool, c *change) bool {
	joined := false
	for k := range touched {
		t := &ts.threads[k]
		ts.setParent(t.nodes[0], t.at, c)
		joined = joined || len(t.segments) > 1
	}
	if !joined {
		return true
	}
	whole := true
	up := slices.Clone(ts.parents)
	breakEachCycle(up, func(at int32) { up[at], whole = noNode, false })
	return whole
}

// setParent sets the arranged parent of a node.
func (ts *threader) setParent(k, up int32, c *change) {
	if ts.parents[k] != up {
		ts.parents[k] = up
		c.moved = append(c.moved, k)
	}
}
