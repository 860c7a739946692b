package claude

import (
	"strings"

	"sessiontree/internal/session"
)

// arrangement is an arrangement in positions: those of the lines that were read, in
// their order, so that entries keep their place while files grow. It is kept, so
// that it need not be made again for each line that comes.
type arrangement struct {
	*fileGroup
	threader *threader
	posOf    []session.Pos // by node
	nodeAt   []int32       // by line that was given: its node; none for copies and lines without a uuid
	parents  []int32       // the arranged parent, by node
	count    session.Pos
	out      session.Arrangement

	lastInFile     map[int32]session.Pos  // by file, the last entry with a uuid
	leadingLines   map[int32][]int        // lines before the first one
	fileStart      map[int32]int64        // by file, its first time
	lastCopiedLine map[int32]int32        // by file, the line of the last copied answer
	agentStart     map[string]session.Pos // the first entry of each agent
	sessionLeaf    map[string]leafClaim   // by session, where its agent stands
	mainLeaf       int32                  // the same in the main file
	lastInMain     session.Pos            // the last line of the main file
	main           int32
	titles         sessionTitles

	missingIDs map[string]bool // ids that are named and recorded nowhere yet
	spawnCalls map[string]bool // tool uses that may start agents
}

// leafClaim is where an agent stands, as the file of that rank in load order says.
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

// fileStartTimes finds the first time of each file.
func (u *fileGroup) fileStartTimes() map[int32]int64 {
	began := map[int32]int64{}
	for _, e := range u.entries {
		if _, ok := began[e.Span.File]; !ok && e.SortTime != session.NoTime {
			began[e.Span.File] = e.SortTime
		}
	}
	return began
}

// assignPositions gives positions to all lines but copies.
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

// recordReferences remembers what later lines may refer to.
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

// recordMissingID remembers an id that is named and not recorded.
func (l *arrangement) recordMissingID(id string) {
	if id == "" {
		return
	}
	if _, ok := l.threader.byID[id]; !ok {
		l.missingIDs[id] = true
	}
}

// buildResult makes the tree of a layout that was just made.
func (l *arrangement) buildResult() session.Arrangement {
	out := &l.out
	out.Parent = make([]session.Pos, l.count)
	begins := l.startFlags(l.threader.threadGraph)
	for n, p := range l.posOf {
		out.Parent[p] = l.parentPos(int32(n))
		out.Entries[p] = l.withArrangementFlags(l.withCopiedFlag(l.withFileTime(out.Entries[p])), l.threader.foldedBy[n], begins[int32(n)])
	}
	p := session.Pos(0) // of the next line that is no copy
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

// withArrangementFlags is an entry with what the arrangement says of it.
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

// withFileTime is an entry with the first time of its file, when it stands before all
// lines that record one.
func (l *arrangement) withFileTime(e *session.Entry) *session.Entry {
	first, ok := l.fileStart[e.Span.File]
	if e.SortTime != session.NoTime || !ok {
		return e
	}
	m := *e
	m.SortTime = first
	return &m
}

// lastCopiedLines finds in each file the last answer that was copied from another session:
// a fork begins with a copy of all that was said before.
func (u *fileGroup) lastCopiedLines() map[int32]int32 {
	last := map[int32]int32{}
	for i, e := range u.entries {
		if u.factsAt(i).origin != "" {
			last[e.Span.File] = max(last[e.Span.File], e.Span.Line)
		}
	}
	return last
}

// withCopiedFlag is an entry, marked when its line is a copy.
func (l *arrangement) withCopiedFlag(e *session.Entry) *session.Entry {
	if e.Copied || e.Span.Line > l.lastCopiedLine[e.Span.File] {
		return e
	}
	m := *e
	m.Copied = true
	return &m
}

// withQualifiedID is an entry without a uuid under the name by which it is found.
func (l *arrangement) withQualifiedID(e *session.Entry) *session.Entry {
	id := l.qualifiedID(e)
	if id == e.ID {
		return e
	}
	m := *e
	m.ID = id
	return &m
}

// parentOfUnidentified hangs a line without a uuid: under the entry recorded before it in its
// file, or where none is before the first behind it; a journal's under the agent
// it is about.
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

// recordLastInFile takes in the entry at p of a file, and hangs what waited for the first.
func (l *arrangement) recordLastInFile(file int32, p session.Pos) {
	for _, w := range l.leadingLines[file] {
		l.out.Parent[w] = p
	}
	delete(l.leadingLines, file)
	l.lastInFile[file] = p
}

// updateLeaf takes in where a line, which is a node or none, says that an agent stands: last-prompt names an
// entry, and whoever speaks after it has gone on.
func (l *arrangement) updateLeaf(i int, x *facts, n int32) {
	at := l.entries[i]
	switch {
	case x.agent != "" && n == noNode: // what an agent's file records besides is not the session's
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

// mainSessionLeaf is where the agent stands in the unit's main session; in one without a
// message, the last line of its file.
func (l *arrangement) mainSessionLeaf() session.Pos {
	if l.mainLeaf != noNode {
		return l.posOf[l.mainLeaf]
	}
	return l.lastInMain
}

// buildThread makes a line of a track.
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

// describeThreads says of all lines what may change with others.
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
