package claude

import (
	"strings"

	"sessiontree/internal/session"
)

// arrangement is the arranged tree in positions. Positions follow the order in which lines were
// read, so entries keep them while files grow. It is kept, so that a new line does not need a new
// arrangement.
type arrangement struct {
	*fileGroup
	threader *threader
	posOf    []session.Pos // by node
	nodeAt   []int32       // by given line: its node, noNode for copies and lines without a uuid
	parents  []int32       // the arranged parent, by node
	count    session.Pos
	out      session.Arrangement

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

func newArrangement(u *fileGroup, w *threader) *arrangement {
	l := &arrangement{fileGroup: u, threader: w, lastInFile: map[int32]session.Pos{}, leadingLines: map[int32][]int{}, fileStart: u.fileStartTimes(), lastCopiedLine: u.lastCopiedLines(), agentStart: map[string]session.Pos{},
		sessionLeaf: map[string]leafClaim{}, mainLeaf: noNode, lastInMain: session.NoPos, main: u.mainFile(), titles: newSessionTitles(), missingIDs: map[string]bool{}, spawnCalls: map[string]bool{}}
	l.out.Files = u.files
	l.assignPositions()
	l.parents = w.arrangedParents()
	for _, i := range u.order {
		l.titles.addFrom(l, u.factsAt(i), u.ranks[u.entries[i].Span.File].rank)
	}
	for n, x := range w.nodes {
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
	l.posOf = make([]session.Pos, len(l.threader.nodes))
	l.nodeAt = make([]int32, len(l.entries))
	for i := range l.nodeAt {
		l.nodeAt[i] = noNode
	}
	for n := range l.threader.nodes {
		l.nodeAt[l.entryIndex[l.threader.inputIndex[n]]] = int32(n)
	}
	l.out.Entries = make([]*session.Entry, 0, len(l.entries))
	for i, e := range l.entries {
		switch n := l.nodeAt[i]; {
		case n != noNode:
			l.posOf[n] = l.count
		case l.factsAt(i).hasID:
			continue // a copy
		}
		l.out.Entries = append(l.out.Entries, e)
		l.count++
	}
}

// recordReferences records what later lines may refer to.
func (l *arrangement) recordReferences(n int32, x *node) {
	if x.sidechain && x.agent != "" {
		if _, ok := l.agentStart[x.agent]; !ok {
			l.agentStart[x.agent] = l.posOf[n]
		}
	}
	for id := range x.taskPrompts {
		l.spawnCalls[id] = true
	}
	if l.threader.parent[n] == noNode {
		l.recordMissingID(x.parent)
	}
	l.recordMissingID(x.logical)
	for _, id := range x.keptIDs {
		l.recordMissingID(id)
	}
}

// recordMissingID records an id that is referenced and not recorded yet.
func (l *arrangement) recordMissingID(id string) {
	if id == "" {
		return
	}
	if _, ok := l.threader.byID[id]; !ok {
		l.missingIDs[id] = true
	}
}

// buildResult builds the session.Arrangement of a new arrangement.
func (l *arrangement) buildResult() session.Arrangement {
	out := &l.out
	out.Parent = make([]session.Pos, l.count)
	begins := l.startFlags(l.threader.threadGraph)
	for n, p := range l.posOf {
		out.Parent[p] = l.parentPos(int32(n))
		out.Entries[p] = l.withArrangementFlags(l.withCopiedFlag(l.withFileTime(out.Entries[p])), l.threader.foldedBy[n], begins[int32(n)])
	}
	p := session.Pos(0) // position of the next line that is no copy
	for i, e := range l.entries {
		x, n := l.factsAt(i), l.nodeAt[i]
		switch {
		case x.hasID && n == noNode:
			n = l.threader.byID[x.id]
		case n == noNode:
			out.Entries[p], out.Parent[p] = l.withQualifiedID(l.withFileTime(e)), l.parentOfUnidentified(x, i, p)
			p++
		default:
			p++
		}
		at := p - 1
		if n != noNode {
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
	out.Notes = l.graphNotes(l.threader.threadGraph)
	out.Threads = make([]session.Thread, len(l.threader.threads))
	for k := range out.Threads {
		l.buildThread(k)
	}
	l.describeThreads()
	return *out
}

func (l *arrangement) parentPos(n int32) session.Pos {
	if up := l.parents[n]; up != noNode {
		return l.posOf[up]
	}
	return session.NoPos
}

// withArrangementFlags returns e with the flags and the status that the arrangement gives it.
func (l *arrangement) withArrangementFlags(e *session.Entry, r rungID, flag session.Flags) *session.Entry {
	if r != 0 {
		flag |= session.FlagArtifact
	}
	if flag == 0 {
		return e
	}
	m := *e
	m.Flags |= flag
	if r != 0 {
		m.OwnDetails().Status = r.describe()
	}
	return &m
}

// withFileTime returns e with the first time of its file if e precedes all lines that record one.
func (l *arrangement) withFileTime(e *session.Entry) *session.Entry {
	first, ok := l.fileStart[e.Span.File]
	if e.SortTime != session.NoTime || !ok {
		return e
	}
	m := *e
	m.SortTime = first
	return &m
}

// lastCopiedLines returns, for each file, the line of the last answer copied from another session.
// A fork begins with a copy of the whole conversation before it.
func (u *fileGroup) lastCopiedLines() map[int32]int32 {
	last := map[int32]int32{}
	for i, e := range u.entries {
		if u.factsAt(i).origin != "" {
			last[e.Span.File] = max(last[e.Span.File], e.Span.Line)
		}
	}
	return last
}

// withCopiedFlag returns e, marked as copied if its line is a copy.
func (l *arrangement) withCopiedFlag(e *session.Entry) *session.Entry {
	if e.Copied || e.Span.Line > l.lastCopiedLine[e.Span.File] {
		return e
	}
	m := *e
	m.Copied = true
	return &m
}

// withQualifiedID returns e with the id by which the tree finds an entry without a uuid.
func (l *arrangement) withQualifiedID(e *session.Entry) *session.Entry {
	id := l.qualifiedID(e)
	if id == e.ID {
		return e
	}
	m := *e
	m.ID = id
	return &m
}

// parentOfUnidentified returns the parent of a line without a uuid: the entry recorded before it in
// its file or, at the start of a file, the first one after it. A line of a workflow's journal
// belongs to the agent that it names.
func (l *arrangement) parentOfUnidentified(x *facts, i int, p session.Pos) session.Pos {
	e := l.entries[i]
	if at, ok := l.agentStart[x.agent]; ok && (e.Role == "started" || e.Role == "result") {
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
	at := l.entries[i]
	switch {
	case x.agent != "" && n == noNode: // metadata in an agent's file does not concern the session
		return
	case at.Role == "last-prompt" && x.leaf != "":
		k, ok := l.threader.byID[x.leaf]
		if !ok {
			l.recordMissingID(x.leaf)
			return
		}
		n = k
	case n != noNode && x.class.isMessage() && !x.sidechain:
	default:
		return
	}
	rank := l.ranks[at.Span.File].rank
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
	if l.mainLeaf != noNode {
		return l.posOf[l.mainLeaf]
	}
	return l.lastInMain
}

// buildThread builds thread k of the result.
func (l *arrangement) buildThread(k int) {
	t := &l.threader.threads[k]
	line := &l.out.Threads[k]
	line.Name, line.Branch, line.Leaf = t.name, t.branch, session.NoPos
	line.Session, line.Agent, _ = strings.Cut(l.threader.nodes[t.nodes[0]].session, "#agent-")
	line.Entries = line.Entries[:0]
	for _, n := range t.nodes {
		line.Entries = append(line.Entries, l.posOf[n])
	}
}

// describeThreads sets the fields of all threads that may change when others do.
func (l *arrangement) describeThreads() {
	for k := range l.out.Threads {
		t, line := &l.threader.threads[k], &l.out.Threads[k]
		line.Parent, line.At = t.parent, session.NoPos
		if t.at != noNode {
			line.At = l.posOf[t.at]
		}
		n := l.threader.nodes[t.nodes[0]]
		switch {
		case n.sidechain && n.agent != "" && strings.HasSuffix(n.session, "#agent-"+n.agent):
			line.Title = l.agentLinks.agentPurpose(n.agent)
		case !t.branch:
			line.Title = l.titles.sessionTitle(line.Session)
			if at, ok := l.sessionLeaf[line.Session]; ok {
				line.Leaf = l.posOf[at.at]
			}
		}
	}
}
