package claude

import (
	"sessiontree/internal/session"
	"sessiontree/internal/session/claude/dag"
)

// arrangement is the arranged tree in positions. Positions follow the order in which lines were
// read, so entries keep them while files grow. It is kept, so that a new line does not need a new
// arrangement.
type arrangement struct {
	group   *fileGroup
	threads *dag.Threads
	posOf   []session.Pos // by node
	nodeAt  []int32       // by given line: its node, noNode for copies and lines without a uuid
	count   session.Pos
	out     session.Arrangement

	lastInFile     map[int32]session.Pos  // by file, the last entry with a uuid
	leadingLines   map[int32][]int        // lines before the first entry with a uuid, by file
	fileStart      map[int32]int64        // by file, the first recorded time
	lastCopiedLine map[int32]int32        // by file, the number of the last line that holds a copied answer
	agentStart     map[string]session.Pos // by agent, its first entry
	sessionLeaf    map[string]leafClaim   // by session, its leaf
	mainLeaf       int32                  // the leaf of the main file, noNode while unknown
	lastInMain     session.Pos            // the last line of the main file
	main           int32
	titles         sessionTitles

	missingIDs map[string]bool // ids that are referenced but not recorded yet
	spawnCalls map[string]bool // ids of tool uses that may start agents
}

// leafClaim is the leaf of a session according to the file with the given rank in load order.
type leafClaim struct {
	at   int32
	rank int
}

func newArrangement(u *fileGroup, w *dag.Threads) *arrangement {
	l := &arrangement{group: u, threads: w, lastInFile: map[int32]session.Pos{}, leadingLines: map[int32][]int{}, fileStart: u.fileStartTimes(), lastCopiedLine: u.lastCopiedLines(), agentStart: map[string]session.Pos{},
		sessionLeaf: map[string]leafClaim{}, mainLeaf: dag.NoNode, lastInMain: session.NoPos, main: u.mainFile(), titles: newSessionTitles(), missingIDs: map[string]bool{}, spawnCalls: map[string]bool{}}
	l.out.Files = u.files
	l.assignPositions()
	for _, i := range u.order {
		l.titles.addFrom(l, u.factsAt(i), u.ranks[u.entries[i].Span.File].rank)
	}
	for n, x := range w.Graph.Nodes {
		l.recordReferences(int32(n), x)
	}
	return l
}

// fileStartTimes returns the first recorded time of each file.
func (u *fileGroup) fileStartTimes() map[int32]int64 {
	began := map[int32]int64{}
	for _, e := range u.entries {
		if _, ok := began[e.Span.File]; !ok && e.SortTime != session.NoTime {
			began[e.Span.File] = e.SortTime
		}
	}
	return began
}

// assignPositions assigns a position to every line that is no copy.
func (l *arrangement) assignPositions() {
	l.posOf = make([]session.Pos, len(l.threads.Graph.Nodes))
	l.nodeAt = make([]int32, len(l.group.entries))
	for i := range l.nodeAt {
		l.nodeAt[i] = dag.NoNode
	}
	for n := range l.threads.Graph.Nodes {
		l.nodeAt[l.group.entryIndex[l.threads.Graph.InputIndex[n]]] = int32(n)
	}
	l.out.Entries = make([]*session.Entry, 0, len(l.group.entries))
	for i, e := range l.group.entries {
		switch n := l.nodeAt[i]; {
		case n != dag.NoNode:
			l.posOf[n] = l.count
		case l.group.factsAt(i).hasID:
			continue // a copy
		}
		l.out.Entries = append(l.out.Entries, e)
		l.count++
	}
}

// recordReferences records what later lines may refer to.
func (l *arrangement) recordReferences(n int32, x *dag.Node) {
	if x.Sidechain && x.Agent != "" {
		if _, ok := l.agentStart[x.Agent]; !ok {
			l.agentStart[x.Agent] = l.posOf[n]
		}
	}
	for id := range x.TaskPrompts {
		l.spawnCalls[id] = true
	}
	if l.threads.Graph.Parent[n] == dag.NoNode {
		l.recordMissingID(x.Parent)
	}
	l.recordMissingID(x.Logical)
	for _, id := range x.KeptIDs {
		l.recordMissingID(id)
	}
}

// recordMissingID records an id that is referenced and not recorded yet.
func (l *arrangement) recordMissingID(id string) {
	if id == "" {
		return
	}
	if _, ok := l.threads.Graph.Find(id); !ok {
		l.missingIDs[id] = true
	}
}

// buildResult builds the session.Arrangement of a new arrangement.
func (l *arrangement) buildResult() session.Arrangement {
	out := &l.out
	out.Parent = make([]session.Pos, l.count)
	begins := l.group.firstEntryFlags(l.threads)
	for n, p := range l.posOf {
		out.Parent[p] = l.parentPos(int32(n))
		out.Entries[p] = l.withArrangementFlags(l.withCopiedFlag(l.withFileTime(out.Entries[p])), l.threads.FoldedBy[n], begins[int32(n)])
	}
	p := session.Pos(0) // position of the next line that is no copy
	for i, e := range l.group.entries {
		x, n := l.group.factsAt(i), l.nodeAt[i]
		switch {
		case x.hasID && n == dag.NoNode:
			n, _ = l.threads.Graph.Find(x.ID)
		case n == dag.NoNode:
			out.Entries[p], out.Parent[p] = l.withQualifiedID(l.withFileTime(e)), l.parentOfUnidentified(x, i, p)
			p++
		default:
			p++
		}
		at := p - 1
		if n != dag.NoNode {
			at = l.posOf[n]
			l.recordLastInFile(e.Span.File, at)
		}
		if e.Span.File == l.main {
			l.lastInMain = at
		}
		l.updateLeaf(i, x, n)
	}
	l.nodeAt = nil
	out.Leaf = l.mainSessionLeaf()
	out.Notes = l.group.graphNotes(l.threads)
	out.Threads = make([]session.Thread, len(l.threads.List))
	for k := range out.Threads {
		l.buildThread(k)
	}
	l.describeThreads()
	return *out
}

func (l *arrangement) parentPos(n int32) session.Pos {
	if up := l.threads.Parents[n]; up != dag.NoNode {
		return l.posOf[up]
	}
	return session.NoPos
}

// parentOfUnidentified returns the parent of a line without a uuid: the entry recorded before it in
// its file or, at the start of a file, the first one after it. A line of a workflow's journal
// belongs to the agent that it names.
func (l *arrangement) parentOfUnidentified(x *facts, i int, p session.Pos) session.Pos {
	e := l.group.entries[i]
	if at, ok := l.agentStart[x.Agent]; ok && (e.Role == "started" || e.Role == "result") {
		return at
	}
	f := e.Span.File
	if at, ok := l.lastInFile[f]; ok {
		return at
	}
	l.leadingLines[f] = append(l.leadingLines[f], int(p))
	return session.NoPos
}

// recordLastInFile records the last entry of a file. The first one becomes the parent of the lines
// before it.
func (l *arrangement) recordLastInFile(file int32, p session.Pos) {
	for _, w := range l.leadingLines[file] {
		l.out.Parent[w] = p
	}
	delete(l.leadingLines, file)
	l.lastInFile[file] = p
}

// updateLeaf updates the leaf of a session from a line, which may be a node. last-prompt names the
// leaf, and a later message of the conversation replaces it.
func (l *arrangement) updateLeaf(i int, x *facts, n int32) {
	at := l.group.entries[i]
	switch {
	case x.Agent != "" && n == dag.NoNode: // metadata in an agent's file does not concern the session
		return
	case at.Role == "last-prompt" && x.leaf != "":
		k, ok := l.threads.Graph.Find(x.leaf)
		if !ok {
			l.recordMissingID(x.leaf)
			return
		}
		n = k
	case n != dag.NoNode && x.Class.IsMessage() && !x.Sidechain:
	default:
		return
	}
	rank := l.group.ranks[at.Span.File].rank
	if known, ok := l.sessionLeaf[x.sessionID]; !ok || known.rank <= rank {
		l.sessionLeaf[x.sessionID] = leafClaim{n, rank}
	}
	if at.Span.File == l.main {
		l.mainLeaf = n
	}
}

// mainSessionLeaf returns the leaf of the main session. A session without a message has the last
// line of its file as its leaf.
func (l *arrangement) mainSessionLeaf() session.Pos {
	if l.mainLeaf != dag.NoNode {
		return l.posOf[l.mainLeaf]
	}
	return l.lastInMain
}
