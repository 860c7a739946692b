package claude

import (
	"slices"

	"sessiontree/internal/session"
)

// extend adds lines that were read since. Most of them continue a thread or fork near its end, as
// the results of parallel calls do; then only the part below the fork is rearranged. In all other
// cases ok is false and the arrangement must not be used any more.
func (l *arrangement) extend(fresh []*session.Entry) (g session.ArrangementDelta, ok bool) {
	n := &extension{base: l, first: l.count, moved: map[session.Pos]bool{}}
	for _, e := range fresh {
		x := e.Extra.(*facts)
		if l.group.ranks[e.Span.File] == nil || !n.addLine(e, x) {
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
	base           *arrangement
	first          session.Pos
	moved          map[session.Pos]bool
	threadsChanged bool // the description of threads may have changed
}

// addLine adds one line and reports whether it could.
func (n *extension) addLine(e *session.Entry, x *facts) bool {
	i := len(n.base.group.entries)
	n.base.group.entries = append(n.base.group.entries, e)
	n.base.group.order = append(n.base.group.order, i)
	p := n.base.count
	if n.changesFileOrder(e, x) {
		return false
	}
	if !x.hasID {
		n.base.count++
		n.base.out.Entries, n.base.out.Parent = append(n.base.out.Entries, n.base.withQualifiedID(e)), append(n.base.out.Parent, session.NoPos)
		n.base.out.Parent[p] = n.base.parentOfUnidentified(x, i, p)
		if n.base.out.Parent[p] == session.NoPos {
			return false
		}
	} else {
		if len(n.base.leadingLines[e.Span.File]) > 0 || !n.isSimpleChild(e, x) {
			return false
		}
		n.base.count++
		n.base.out.Entries, n.base.out.Parent = append(n.base.out.Entries, e), append(n.base.out.Parent, session.NoPos)
		if !n.addNode(x, i, p) {
			return false
		}
		n.base.lastInFile[e.Span.File] = p
	}
	if n.base.titles.addFrom(n.base, x, n.base.group.ranks[e.Span.File].rank) {
		n.threadsChanged = true
	}
	k := noNode
	if x.hasID {
		k = int32(len(n.base.threader.graph.nodes)) - 1
	}
	if e.Span.File == n.base.main {
		n.base.lastInMain = p
	}
	n.base.updateLeaf(i, x, k)
	if k, ok := n.base.threader.threadIndex[x.sessionID]; ok {
		if at, ok := n.base.sessionLeaf[x.sessionID]; ok {
			n.base.out.Threads[k].Leaf = n.base.posOf[at.at]
		}
	}
	return true
}

// changesFileOrder reports whether a line changes the first time of its file, by which earlier
// lines are sorted, or the file's place in load order.
func (n *extension) changesFileOrder(e *session.Entry, x *facts) bool {
	known := n.base.group.ranks[e.Span.File]
	_, began := n.base.fileStart[e.Span.File]
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
	g := n.base.threader.graph
	up, known := g.byID[x.parent]
	_, copied := g.byID[x.id]
	file := n.base.group.ranks[e.Span.File]
	if !known || copied || file == nil || n.base.missingIDs[x.id] || x.parent == x.id {
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
	for _, k := range n.base.threader.graph.children[up] {
		f := n.base.group.entries[n.base.group.entryIndex[n.base.threader.graph.inputIndex[k]]].Span.File
		rank = max(rank, n.base.group.ranks[f].rank)
	}
	return rank
}

// nodeSession returns the session id under which the graph holds a line.
func (n *extension) nodeSession(x *facts) string {
	if n.base.group.anchors.separateThreads && x.sidechain && x.agent != "" {
		return agentSession(x.session, x.agent)
	}
	return x.session
}

// mayAnchorAgent reports whether a line may change where an agent is attached.
func (n *extension) mayAnchorAgent(x *facts, up int32) bool {
	switch {
	case x.run != "", x.task != "", x.spawns, len(x.taskPrompts) > 0:
		return true
	case x.agent != "" && (!x.sidechain || n.base.threader.graph.nodes[up].agent != x.agent):
		return true
	case !n.base.group.anchors.multipleAgents && (!x.sidechain || x.agent != n.base.threader.graph.nodes[up].agent): // the first node that is not of the only agent
		return true
	}
	named := func(id string) bool {
		return n.base.spawnCalls[id] || n.base.group.agentLinks != nil && n.base.group.agentLinks.agentByCall[id] != ""
	}
	return slices.ContainsFunc(x.calls, named) || slices.ContainsFunc(x.results, named)
}

// addNode adds a node to the graph and to its thread.
func (n *extension) addNode(x *facts, i int, p session.Pos) bool {
	l := n.base
	own := x.node
	own.session = n.nodeSession(x)
	c, ok := l.threader.addChild(&own)
	if !ok {
		return false
	}
	k := int32(len(l.threader.graph.nodes)) - 1
	l.group.entryIndex, l.posOf = append(l.group.entryIndex, i), append(l.posOf, p)
	l.recordReferences(k, &own)
	n.applyChange(k, c)
	return true
}

// applyChange updates the result after node k was added.
func (n *extension) applyChange(k int32, c change) {
	l := n.base
	if t := l.threader.threadOf[k]; len(c.rebuilt) == 0 && t != noNode {
		l.out.Threads[t].Entries = append(l.out.Threads[t].Entries, l.posOf[k])
	}
	for len(l.out.Threads) < len(l.threader.threads) {
		l.out.Threads = append(l.out.Threads, session.Thread{})
	}
	for _, t := range c.rebuilt {
		l.buildThread(t)
		n.threadsChanged = true
	}
	l.out.Parent[l.posOf[k]] = l.parentPos(k)
	for _, m := range c.moved {
		p := l.posOf[m]
		l.out.Parent[p], n.moved[p] = l.parentPos(m), true
	}
	for _, m := range c.refolded {
		p, e := l.posOf[m], l.group.entries[l.group.entryIndex[l.threader.graph.inputIndex[m]]]
		l.out.Entries[p], n.moved[p] = l.withArrangementFlags(e, l.threader.foldedBy[m], 0), true
	}
}
