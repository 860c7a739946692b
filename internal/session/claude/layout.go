package claude

import (
	"strings"

	"sessiontree/internal/session"
)

// layout is an arrangement in positions: those of the lines that were read, in
// their order, so that entries keep their place while files grow. It is kept, so
// that it need not be made again for each line that comes.
type layout struct {
	*unit
	w      *walker
	posOf  []session.Pos // by node
	nodeAt []int32       // by line that was given: its node; none for copies and lines without a uuid
	up     []int32       // the arranged parent, by node
	count  session.Pos
	out    session.Arranged

	before  map[int32]session.Pos  // by file, the last entry with a uuid
	waiting map[int32][]int        // lines before the first one
	began   map[int32]int64        // by file, its first time
	copies  map[int32]int32        // by file, the line of the last copied answer
	agents  map[string]session.Pos // the first entry of each agent
	stands  map[string]stand       // by session, where its agent stands
	stand   int32                  // the same in the main file
	last    session.Pos            // the last line of the main file
	main    int32
	titles  titles

	awaited map[string]bool // ids that are named and recorded nowhere yet
	asked   map[string]bool // tool uses that may start agents
}

// stand is where an agent stands, as the file of that rank in load order says.
type stand struct {
	at   int32
	rank int
}

func newLayout(u *unit, w *walker) *layout {
	l := &layout{unit: u, w: w, before: map[int32]session.Pos{}, waiting: map[int32][]int{}, began: u.began(), copies: u.copiedTo(), agents: map[string]session.Pos{},
		stands: map[string]stand{}, stand: none, last: session.NoPos, main: u.main(), titles: newTitles(), awaited: map[string]bool{}, asked: map[string]bool{}}
	l.out.Files = u.files
	l.place()
	l.up = w.parents()
	for _, i := range u.order {
		l.titles.learn(l, u.facts(i), u.ranks[u.given[i].Span.File].rank)
	}
	for n, x := range w.nodes {
		l.note(int32(n), x)
	}
	return l
}

// began finds the first time of each file.
func (u *unit) began() map[int32]int64 {
	began := map[int32]int64{}
	for _, e := range u.given {
		if _, ok := began[e.Span.File]; !ok && e.Order != session.NoTime {
			began[e.Span.File] = e.Order
		}
	}
	return began
}

// place gives positions to all lines but copies.
func (l *layout) place() {
	l.posOf = make([]session.Pos, len(l.w.nodes))
	l.nodeAt = make([]int32, len(l.given))
	for i := range l.nodeAt {
		l.nodeAt[i] = none
	}
	for n := range l.w.nodes {
		l.nodeAt[l.from[l.w.from[n]]] = int32(n)
	}
	l.out.Entries = make([]*session.Entry, 0, len(l.given))
	for i, e := range l.given {
		switch n := l.nodeAt[i]; {
		case n != none:
			l.posOf[n] = l.count
		case l.facts(i).hasID:
			continue // a copy
		}
		l.out.Entries = append(l.out.Entries, e)
		l.count++
	}
}

// note remembers what later lines may refer to.
func (l *layout) note(n int32, x *node) {
	if x.sidechain && x.agent != "" {
		if _, ok := l.agents[x.agent]; !ok {
			l.agents[x.agent] = l.posOf[n]
		}
	}
	for id := range x.tasks {
		l.asked[id] = true
	}
	if l.w.parent[n] == none {
		l.await(x.parent)
	}
	l.await(x.logical)
	for _, id := range x.kept {
		l.await(id)
	}
}

// await remembers an id that is named and not recorded.
func (l *layout) await(id string) {
	if id == "" {
		return
	}
	if _, ok := l.w.byID[id]; !ok {
		l.awaited[id] = true
	}
}

// result makes the tree of a layout that was just made.
func (l *layout) result() session.Arranged {
	out := &l.out
	out.Parent = make([]session.Pos, l.count)
	begins := l.begins(l.w.arrangement)
	for n, p := range l.posOf {
		out.Parent[p] = l.parentPos(int32(n))
		out.Entries[p] = l.marked(l.copied(l.timed(out.Entries[p])), l.w.rung[n], begins[int32(n)])
	}
	p := session.Pos(0) // of the next line that is no copy
	for i, e := range l.given {
		x, n := l.facts(i), l.nodeAt[i]
		switch {
		case x.hasID && n == none:
			n = l.w.byID[x.id]
		case n == none:
			out.Entries[p], out.Parent[p] = l.named(l.timed(e)), l.beside(x, i, p)
			p++
		default:
			p++
		}
		at := p - 1
		if n != none {
			at = l.posOf[n]
			l.passed(e.Span.File, at)
		}
		if e.Span.File == l.main {
			l.last = at
		}
		l.stood(i, x, n)
	}
	l.nodeAt = nil
	out.Leaf = l.leaf()
	out.Notes = l.notes(l.w.arrangement)
	out.Lines = make([]session.DAGLine, len(l.w.tracks))
	for k := range out.Lines {
		l.line(k)
	}
	l.describe()
	return *out
}

func (l *layout) parentPos(n int32) session.Pos {
	if up := l.up[n]; up != none {
		return l.posOf[up]
	}
	return session.NoPos
}

// marked is an entry with what the arrangement says of it.
func (l *layout) marked(e *session.Entry, r rungID, flag session.Flags) *session.Entry {
	if r != 0 {
		flag |= session.FlagArtifact
	}
	if flag == 0 {
		return e
	}
	m := *e
	m.Flags |= flag
	if r != 0 {
		m.Status = r.text()
	}
	return &m
}

// timed is an entry with the first time of its file, when it stands before all
// lines that record one.
func (l *layout) timed(e *session.Entry) *session.Entry {
	first, ok := l.began[e.Span.File]
	if e.Order != session.NoTime || !ok {
		return e
	}
	m := *e
	m.Order = first
	return &m
}

// copiedTo finds in each file the last answer that was copied from another session:
// a fork begins with a copy of all that was said before.
func (u *unit) copiedTo() map[int32]int32 {
	last := map[int32]int32{}
	for i, e := range u.given {
		if u.facts(i).origin != "" {
			last[e.Span.File] = max(last[e.Span.File], e.Span.Line)
		}
	}
	return last
}

// copied is an entry, marked when its line is a copy.
func (l *layout) copied(e *session.Entry) *session.Entry {
	if e.Copied || e.Span.Line > l.copies[e.Span.File] {
		return e
	}
	m := *e
	m.Copied = true
	return &m
}

// named is an entry without a uuid under the name by which it is found.
func (l *layout) named(e *session.Entry) *session.Entry {
	id := l.lineID(e)
	if id == e.ID {
		return e
	}
	m := *e
	m.ID = id
	return &m
}

// beside hangs a line without a uuid: under the entry recorded before it in its
// file, or where none is before the first behind it; a journal's under the agent
// it is about.
func (l *layout) beside(x *facts, i int, p session.Pos) session.Pos {
	e := l.given[i]
	if at, ok := l.agents[x.agent]; ok && (e.Role == "started" || e.Role == "result") {
		return at
	}
	f := e.Span.File
	if at, ok := l.before[f]; ok {
		return at
	}
	l.waiting[f] = append(l.waiting[f], int(p))
	return session.NoPos
}

// passed takes in the entry at p of a file, and hangs what waited for the first.
func (l *layout) passed(file int32, p session.Pos) {
	for _, w := range l.waiting[file] {
		l.out.Parent[w] = p
	}
	delete(l.waiting, file)
	l.before[file] = p
}

// stood takes in where a line, which is a node or none, says that an agent stands: last-prompt names an
// entry, and whoever speaks after it has gone on.
func (l *layout) stood(i int, x *facts, n int32) {
	at := l.given[i]
	switch {
	case x.agent != "" && n == none: // what an agent's file records besides is not the session's
		return
	case at.Role == "last-prompt" && x.leaf != "":
		k, ok := l.w.byID[x.leaf]
		if !ok {
			l.await(x.leaf)
			return
		}
		n = k
	case n != none && x.class.spoken() && !x.sidechain:
	default:
		return
	}
	rank := l.ranks[at.Span.File].rank
	if known, ok := l.stands[x.about]; !ok || known.rank <= rank {
		l.stands[x.about] = stand{n, rank}
	}
	if at.Span.File == l.main {
		l.stand = n
	}
}

// leaf is where the agent stands in the unit's main session; in one without a
// message, the last line of its file.
func (l *layout) leaf() session.Pos {
	if l.stand != none {
		return l.posOf[l.stand]
	}
	return l.last
}

// line makes a line of a track.
func (l *layout) line(k int) {
	t := &l.w.tracks[k]
	line := &l.out.Lines[k]
	line.Name, line.Branch, line.Leaf = t.name, t.branch, session.NoPos
	line.Session, line.Agent, _ = strings.Cut(l.w.nodes[t.ids[0]].session, "#agent-")
	line.Entries = line.Entries[:0]
	for _, n := range t.ids {
		line.Entries = append(line.Entries, l.posOf[n])
	}
}

// describe says of all lines what may change with others.
func (l *layout) describe() {
	for k := range l.out.Lines {
		t, line := &l.w.tracks[k], &l.out.Lines[k]
		line.Parent, line.At = t.parent, session.NoPos
		if t.at != none {
			line.At = l.posOf[t.at]
		}
		n := l.w.nodes[t.ids[0]]
		switch {
		case n.sidechain && n.agent != "" && strings.HasSuffix(n.session, "#agent-"+n.agent):
			line.Title = l.links.purpose(n.agent)
		case !t.branch:
			line.Title = l.titles.of(line.Session)
			if at, ok := l.stands[line.Session]; ok {
				line.Leaf = l.posOf[at.at]
			}
		}
	}
}
