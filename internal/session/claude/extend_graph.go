package claude

import (
	"slices"

	"sessiontree/internal/session"
)

// addNode adds a node to the graph and to its thread.
func (n *extension) addNode(x *facts, i int, p session.Pos) bool {
	w := n.threader
	k := int32(len(w.nodes))
	own := x.node
	own.session = n.nodeSession(x)
	up := w.byID[x.parent]
	w.nodes, w.byID[x.id], w.parent = append(w.nodes, &own), k, append(w.parent, up)
	w.owner, w.children = append(w.owner, w.owner[up]), append(w.children, nil)
	w.children[up] = append(w.children[up], k)
	w.graph.inputIndex, n.entryIndex = append(w.graph.inputIndex, len(n.entryIndex)), append(n.entryIndex, i)
	w.hasMessageBelow, w.heightBelow, w.visited = append(w.hasMessageBelow, false), append(w.heightBelow, 0), append(w.visited, false)
	w.segmentOf, w.inlinedBy = append(w.segmentOf, 0), append(w.inlinedBy, 0)
	w.threadOf, w.foldedBy = append(w.threadOf, noNode), append(w.foldedBy, 0)
	n.posOf, n.parents = append(n.posOf, p), append(n.parents, up)
	n.recordReferences(k, &own)
	if top := n.findChangedFork(k); top != noNode {
		return n.rethread(top)
	}
	return n.appendToThread(k, up)
}

// findChangedFork updates the statistics of the ancestors of a new node. It returns the highest
// fork that the ladder now decides differently, noNode if there is none.
func (n *extension) findChangedFork(k int32) (top int32) {
	w := n.threader
	top = noNode
	changed := true
	for at, steps := k, 0; changed || steps <= maxLadderDepth+1; steps++ {
		up := w.parent[at]
		if up == noNode || !w.sameSession(at, up) {
			break
		}
		spoken := w.hasMessageBelow[up] || w.hasMessageBelow[at] || w.nodes[at].class.isMessage()
		height := max(w.heightBelow[up], min(w.heightBelow[at], maxLadderDepth)+1)
		changed = spoken != w.hasMessageBelow[up] || height != w.heightBelow[up]
		w.hasMessageBelow[up], w.heightBelow[up] = spoken, height
		if w.segmentOf[up] != 0 && w.inlinedBy[up] == 0 { // a fork that the ladder decided
			if children := w.sessionChildren(up); len(children) > 1 && !w.decided[up].sameOutcome(w.decideFork(up, children)) {
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
func (n *extension) appendToThread(k, up int32) bool {
	w := n.threader
	w.visited[k] = true
	if r := max(w.foldedBy[up], w.inlinedBy[up]); r != 0 {
		w.foldedBy[k] = r
		p := n.posOf[k]
		n.out.Parent[p], n.out.Entries[p] = n.posOf[up], n.withArrangementFlags(n.out.Entries[p], r, 0)
		return true
	}
	seg := int(w.segmentOf[up]) - 1
	s := &w.segments[seg]
	t := &w.threads[w.threadOf[up]]
	if s.nodes[len(s.nodes)-1] != up {
		return false
	}
	s.nodes = append(s.nodes, k)
	w.segmentOf[k], w.threadOf[k] = int32(seg)+1, w.threadOf[up]
	if t.segments[len(t.segments)-1] != seg {
		return n.rebuildThread(int(w.threadOf[up]))
	}
	t.nodes = append(t.nodes, k)
	line := &n.out.Threads[w.threadOf[k]]
	line.Entries = append(line.Entries, n.posOf[k])
	n.out.Parent[n.posOf[k]] = n.posOf[up]
	return true
}

// rethread arranges everything below a fork again.
func (n *extension) rethread(top int32) bool {
	w := n.threader
	below, ok := n.clearBelow(top)
	if !ok {
		return false
	}
	seg := int(w.segmentOf[top]) - 1
	s := &w.segments[seg]
	i := len(s.nodes) - 1
	for s.nodes[i] != top {
		i--
	}
	touched := map[int]bool{int(w.threadOf[top]): true}
	s.nodes = s.nodes[:i]
	known := len(w.segments)
	for queue := w.extendSegment(seg, top); len(queue) > 0; queue = queue[1:] {
		queue = append(queue, w.startSegment(queue[0])...)
	}
	for j := known; j < len(w.segments); j++ {
		k := w.joinSegment(w.segments, j)
		touched[k] = true
	}
	for k := len(n.out.Threads); k < len(w.threads); k++ {
		n.out.Threads = append(n.out.Threads, session.Thread{})
		n.threadsChanged = true
	}
	for k := range touched {
		if !n.rebuildThread(k) {
			return false
		}
	}
	if w.attachThreads(); n.attachTouched(touched) {
		n.updateFolded(below)
		return true
	}
	return false
}

// clearBelow removes everything below a fork from its threads. ok is false if there are more than
// maxRelayout entries or a thread would become empty.
func (n *extension) clearBelow(top int32) (below []int32, ok bool) {
	w := n.threader
	below = append(below, w.sessionChildren(top)...)
	for i := 0; i < len(below); i++ {
		below = append(below, w.sessionChildren(below[i])...)
		if len(below) > maxRelayout || w.compactionHeads[below[i]] {
			return nil, false
		}
	}
	for _, p := range below {
		if s := w.segmentOf[p]; s != 0 && w.segments[s-1].nodes[0] == p {
			return nil, false // threads begin below: names and order may change
		}
	}
	w.visited[top] = false
	delete(w.decided, top)
	for _, p := range below {
		w.visited[p], w.segmentOf[p], w.inlinedBy[p], w.foldedBy[p], w.threadOf[p] = false, 0, 0, 0, noNode
		delete(w.decided, p)
	}
	return below, true
}

// rebuildThread builds a thread from its segments again.
func (n *extension) rebuildThread(k int) bool {
	w := n.threader
	t := &w.threads[k]
	first := noNode
	if len(t.nodes) > 0 {
		first = t.nodes[0]
	}
	w.concatSegments(w.segments, k)
	if first != noNode && t.nodes[0] != first {
		return false
	}
	for i := 1; i < len(t.segments); i++ {
		if a, b := w.segments[t.segments[i-1]].nodes[0], w.segments[t.segments[i]].nodes[0]; w.nodes[a].stamp == w.nodes[b].stamp {
			return false // the order of discovery decides
		}
	}
	n.buildThread(k)
	for i := 1; i < len(t.nodes); i++ {
		n.setParent(t.nodes[i], t.nodes[i-1])
	}
	return true
}

// attachTouched attaches the touched threads and reports whether no thread became its own ancestor.
func (n *extension) attachTouched(touched map[int]bool) bool {
	joined := false
	for k := range touched {
		t := &n.threader.threads[k]
		n.setParent(t.nodes[0], t.at)
		joined = joined || len(t.segments) > 1
	}
	n.threadsChanged = true
	if !joined {
		return true
	}
	whole := true
	up := slices.Clone(n.parents)
	breakEachCycle(up, func(at int32) { up[at], whole = noNode, false })
	return whole
}

// setParent sets the arranged parent of a node.
func (n *extension) setParent(k, up int32) {
	n.parents[k] = up
	if p, at := n.posOf[k], n.parentPos(k); n.out.Parent[p] != at {
		n.out.Parent[p] = at
		n.moved[p] = true
	}
}

// updateFolded updates the flags of entries that became folded or are no longer folded.
func (n *extension) updateFolded(below []int32) {
	for _, k := range below {
		p, r := n.posOf[k], n.threader.foldedBy[k]
		if r != 0 {
			n.setParent(k, n.threader.parent[k])
		}
		e := n.entries[n.entryIndex[n.threader.graph.inputIndex[k]]]
		if was := n.out.Entries[p]; was.HasFlag(session.FlagArtifact) != (r != 0) || r != 0 && was.Status() != r.describe() {
			n.out.Entries[p] = n.withArrangementFlags(e, r, 0)
			n.moved[p] = true
		}
	}
}
