package claude

import (
	"slices"

	"sessiontree/internal/session"
)

// maxRelayout is the maximum number of entries that extend rearranges. Beyond it, everything is
// arranged again.
const maxRelayout = 4096

// extend adds lines that were read since. Most of them continue a thread or fork near its end, as
// the results of parallel calls do; then only the part below the fork is rearranged. In all other
// cases ok is false and the arrangement must not be used any more.
func (l *arrangement) extend(fresh []*session.Entry) (g session.ArrangementDelta, ok bool) {
	n := &extension{arrangement: l, first: l.count, moved: map[session.Pos]bool{}}
	for _, e := range fresh {
		x := e.Extra.(*facts)
		if l.ranks[e.Span.File] == nil || !n.addLine(e, x) {
			return g, false
		}
	}
	if n.threadsChanged {
		l.describeThreads()
	}
	g.Entries, g.Parent = l.out.Entries[n.first:], l.out.Parent[n.first:]
	for p := range n.moved {
		if p < n.first {
			g.Moved = append(g.Moved, session.MovedEntry{Pos: p, Parent: l.out.Parent[p], Entry: l.out.Entries[p]})
		}
	}
	slices.SortFunc(g.Moved, func(a, b session.MovedEntry) int { return int(a.Pos - b.Pos) })
	g.Leaf, g.Threads = l.mainSessionLeaf(), l.out.Threads
	return g, true
}

// extension is one call of extend.
type extension struct {
	*arrangement
	first          session.Pos
	moved          map[session.Pos]bool
	threadsChanged bool // the description of threads may have changed
}

// addLine adds one line and reports whether it could.
func (n *extension) addLine(e *session.Entry, x *facts) bool {
	i := len(n.entries)
	n.entries = append(n.entries, e)
	n.order = append(n.order, i)
	p := n.count
	if n.changesFileOrder(e, x) {
		return false
	}
	if !x.hasID {
		n.count++
		n.out.Entries, n.out.Parent = append(n.out.Entries, n.withQualifiedID(e)), append(n.out.Parent, session.NoPos)
		n.out.Parent[p] = n.parentOfUnidentified(x, i, p)
		if n.out.Parent[p] == session.NoPos {
			return false
		}
	} else {
		if len(n.leadingLines[e.Span.File]) > 0 || !n.isSimpleChild(e, x) {
			return false
		}
		n.count++
		n.out.Entries, n.out.Parent = append(n.out.Entries, e), append(n.out.Parent, session.NoPos)
		if !n.addNode(x, i, p) {
			return false
		}
		n.lastInFile[e.Span.File] = p
	}
	if n.titles.addFrom(n.arrangement, x, n.ranks[e.Span.File].rank) {
		n.threadsChanged = true
	}
	k := noNode
	if x.hasID {
		k = int32(len(n.threader.nodes)) - 1
	}
	if e.Span.File == n.main {
		n.lastInMain = p
	}
	n.updateLeaf(i, x, k)
	if k, ok := n.threader.threadIndex[x.sessionID]; ok {
		if at, ok := n.sessionLeaf[x.sessionID]; ok {
			n.out.Threads[k].Leaf = n.posOf[at.at]
		}
	}
	return true
}

// changesFileOrder reports whether a line changes the first time of its file, by which earlier
// lines are sorted, or the file's place in load order.
func (n *extension) changesFileOrder(e *session.Entry, x *facts) bool {
	known := n.ranks[e.Span.File]
	_, began := n.fileStart[e.Span.File]
	switch {
	case !began && e.SortTime != session.NoTime:
		return true
	case !x.hasID:
		return known.hasShared && !known.sharesAnswer && x.stamp != "" && (known.earliestOwn == "" || x.stamp < known.earliestOwn)
	}
	return x.isCopied() && !known.forked || x.origin != ""
}

// isSimpleChild reports whether a line with a uuid affects nothing but its parent.
func (n *extension) isSimpleChild(e *session.Entry, x *facts) bool {
	g := n.threader.graph
	up, known := g.byID[x.parent]
	_, copied := g.byID[x.id]
	file := n.ranks[e.Span.File]
	if !known || copied || file == nil || n.missingIDs[x.id] || x.parent == x.id {
		return false
	}
	first, begun := g.sessionStart[n.nodeSession(x)]
	switch {
	case !begun, x.stamp < first, file.earliestOwn == "", x.stamp < file.earliestOwn:
		return false // it may own entries of other files, or change the order of files
	case g.hasCopy[up]: // the copy may name agents
		return false
	case g.nodes[up].session != n.nodeSession(x), n.mayAnchorAgent(x, up):
		return false
	}
	for _, k := range g.children[up] {
		if k := g.nodes[k]; k.stamp == x.stamp && n.lastChildRank(up) > file.rank {
			return false // for equal times the order of files decides
		}
	}
	return true
}

// lastChildRank returns the highest load order rank among the files that hold children of a node.
func (n *extension) lastChildRank(up int32) (rank int) {
	for _, k := range n.threader.children[up] {
		f := n.entries[n.entryIndex[n.threader.inputIndex[k]]].Span.File
		rank = max(rank, n.ranks[f].rank)
	}
	return rank
}

// nodeSession returns the session id under which the graph holds a line.
func (n *extension) nodeSession(x *facts) string {
	if n.anchors.separateThreads && x.sidechain && x.agent != "" {
		return agentSession(x.session, x.agent)
	}
	return x.session
}

// mayAnchorAgent reports whether a line may change where an agent is attached.
func (n *extension) mayAnchorAgent(x *facts, up int32) bool {
	switch {
	case x.run != "", x.task != "", x.spawns, len(x.taskPrompts) > 0:
		return true
	case x.agent != "" && (!x.sidechain || n.threader.nodes[up].agent != x.agent):
		return true
	case !n.anchors.multipleAgents && (!x.sidechain || x.agent != n.threader.nodes[up].agent): // the first node that is not of the only agent
		return true
	}
	named := func(id string) bool {
		return n.spawnCalls[id] || n.agentLinks != nil && n.agentLinks.agentByCall[id] != ""
	}
	return slices.ContainsFunc(x.calls, named) || slices.ContainsFunc(x.results, named)
}

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
