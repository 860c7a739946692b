package claude

import (
	"slices"

	"sessiontree/internal/session"
	"sessiontree/internal/session/claude/dag"
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
	k := dag.NoNode
	if x.hasID {
		k = int32(len(n.base.threads.Graph.Nodes)) - 1
	}
	if e.Span.File == n.base.main {
		n.base.lastInMain = p
	}
	n.base.updateLeaf(i, x, k)
	if k, ok := n.base.threads.ThreadIndex[x.sessionID]; ok {
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
		return known.hasShared && !known.sharesAnswer && x.Stamp != "" && (known.earliestOwn == "" || x.Stamp < known.earliestOwn)
	}
	return x.isCopied() && !known.forked || x.Origin != ""
}

// isSimpleChild reports whether a line with a uuid affects nothing but its parent.
func (n *extension) isSimpleChild(e *session.Entry, x *facts) bool {
	g := n.base.threads.Graph
	up, known := g.Find(x.Parent)
	_, copied := g.Find(x.ID)
	file := n.base.group.ranks[e.Span.File]
	if !known || copied || file == nil || n.base.missingIDs[x.ID] || x.Parent == x.ID {
		return false
	}
	first, begun := g.SessionStart[n.nodeSession(x)]
	switch {
	case !begun, x.Stamp < first, file.earliestOwn == "", x.Stamp < file.earliestOwn:
		return false // it may own entries of other files, or change the order of files
	case g.HasCopy[up]: // the copy may name agents
		return false
	case g.Nodes[up].Session != n.nodeSession(x), n.mayAnchorAgent(x, up):
		return false
	}
	for _, k := range g.Children[up] {
		if k := g.Nodes[k]; k.Stamp == x.Stamp && n.lastChildRank(up) > file.rank {
			return false // for equal times the order of files decides
		}
	}
	return true
}

// lastChildRank returns the highest load order rank among the files that hold children of a node.
func (n *extension) lastChildRank(up int32) (rank int) {
	for _, k := range n.base.threads.Graph.Children[up] {
		f := n.base.group.entries[n.base.group.entryIndex[n.base.threads.Graph.InputIndex[k]]].Span.File
		rank = max(rank, n.base.group.ranks[f].rank)
	}
	return rank
}

// nodeSession returns the session id under which the graph holds a line.
func (n *extension) nodeSession(x *facts) string {
	if n.base.group.agents.SeparateThreads && x.Sidechain && x.Agent != "" {
		return dag.AgentSession(x.Session, x.Agent)
	}
	return x.Session
}

// mayAnchorAgent reports whether a line may change where an agent is attached.
func (n *extension) mayAnchorAgent(x *facts, up int32) bool {
	switch {
	case x.Run != "", x.Task != "", x.Spawns, len(x.TaskPrompts) > 0:
		return true
	case x.Agent != "" && (!x.Sidechain || n.base.threads.Graph.Nodes[up].Agent != x.Agent):
		return true
	case !n.base.group.agents.Multiple && (!x.Sidechain || x.Agent != n.base.threads.Graph.Nodes[up].Agent): // the first node that is not of the only agent
		return true
	}
	named := func(id string) bool {
		return n.base.spawnCalls[id] || n.base.group.agentStarts != nil && n.base.group.agentStarts.AgentByCall[id] != ""
	}
	return slices.ContainsFunc(x.Calls, named) || slices.ContainsFunc(x.Results, named)
}

// addNode adds a node to the graph and to its thread.
func (n *extension) addNode(x *facts, i int, p session.Pos) bool {
	l := n.base
	own := x.Node
	own.Session = n.nodeSession(x)
	c, ok := l.threads.AddChild(&own)
	if !ok {
		return false
	}
	k := int32(len(l.threads.Graph.Nodes)) - 1
	l.group.entryIndex, l.posOf = append(l.group.entryIndex, i), append(l.posOf, p)
	l.recordReferences(k, &own)
	n.applyChange(k, c)
	return true
}

// applyChange updates the result after node k was added.
func (n *extension) applyChange(k int32, c dag.Change) {
	l := n.base
	if t := l.threads.ThreadOf[k]; len(c.Rebuilt) == 0 && t != dag.NoNode {
		l.out.Threads[t].Entries = append(l.out.Threads[t].Entries, l.posOf[k])
	}
	for len(l.out.Threads) < len(l.threads.List) {
		l.out.Threads = append(l.out.Threads, session.Thread{})
	}
	for _, t := range c.Rebuilt {
		l.buildThread(t)
		n.threadsChanged = true
	}
	l.out.Parent[l.posOf[k]] = l.parentPos(k)
	for _, m := range c.Moved {
		p := l.posOf[m]
		l.out.Parent[p], n.moved[p] = l.parentPos(m), true
	}
	for _, m := range c.Refolded {
		p, e := l.posOf[m], l.group.entries[l.group.entryIndex[l.threads.Graph.InputIndex[m]]]
		l.out.Entries[p], n.moved[p] = l.withArrangementFlags(e, l.threads.FoldedBy[m], 0), true
	}
}
