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
