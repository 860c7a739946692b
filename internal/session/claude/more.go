package claude

import (
	"slices"

	"sessiontree/internal/session"
)

// widest is how many entries are laid anew at most; with more, everything is.
const widest = 4096

// more takes in lines that were read since. Most go on where a line ends, or fork
// near its end, as the results of parallel calls do: only what is below the fork
// is laid anew. ok is false for anything else; the layout is void then.
func (l *layout) more(fresh []*session.Entry) (g session.Growth, ok bool) {
	n := &news{layout: l, first: l.count, moved: map[session.Pos]bool{}}
	for _, e := range fresh {
		x := e.Extra.(*facts)
		if l.ranks[e.Span.File] == nil || !n.take(e, x) {
			return g, false
		}
	}
	if n.told {
		l.describe()
	}
	g.Entries, g.Parent = l.out.Entries[n.first:], l.out.Parent[n.first:]
	for p := range n.moved {
		if p < n.first {
			g.Moved = append(g.Moved, session.Moved{Pos: p, Parent: l.out.Parent[p], Entry: l.out.Entries[p]})
		}
	}
	slices.SortFunc(g.Moved, func(a, b session.Moved) int { return int(a.Pos - b.Pos) })
	g.Leaf, g.Lines = l.leaf(), l.out.Lines
	return g, true
}

// news is one call of more.
type news struct {
	*layout
	first session.Pos
	moved map[session.Pos]bool
	told  bool // what is said of lines may have changed
}

// take takes in one line.
func (n *news) take(e *session.Entry, x *facts) bool {
	i := len(n.given)
	n.given = append(n.given, e)
	n.order = append(n.order, i)
	p := n.count
	if n.file(e, x) {
		return false
	}
	if !x.hasID {
		n.count++
		n.out.Entries, n.out.Parent = append(n.out.Entries, n.named(e)), append(n.out.Parent, session.NoPos)
		n.out.Parent[p] = n.beside(x, i, p)
		if n.out.Parent[p] == session.NoPos {
			return false
		}
	} else {
		if len(n.waiting[e.Span.File]) > 0 || !n.plain(e, x) {
			return false
		}
		n.count++
		n.out.Entries, n.out.Parent = append(n.out.Entries, e), append(n.out.Parent, session.NoPos)
		if !n.add(x, i, p) {
			return false
		}
		n.before[e.Span.File] = p
	}
	if n.titles.learn(n.layout, x, n.ranks[e.Span.File].rank) {
		n.told = true
	}
	k := none
	if x.hasID {
		k = int32(len(n.w.nodes)) - 1
	}
	if e.Span.File == n.main {
		n.last = p
	}
	n.stood(i, x, k)
	if k, ok := n.w.named[x.about]; ok {
		if at, ok := n.stands[x.about]; ok {
			n.out.Lines[k].Leaf = n.posOf[at.at]
		}
	}
	return true
}

// file reports whether a line changes what is known of its file: its first time, by
// which the lines before it are sorted, or its place in load order.
func (n *news) file(e *session.Entry, x *facts) bool {
	known := n.ranks[e.Span.File]
	_, began := n.began[e.Span.File]
	switch {
	case !began && e.Order != session.NoTime:
		return true
	case !x.hasID:
		return known.shares && !known.answers && x.stamp != "" && (known.own == "" || x.stamp < known.own)
	}
	return x.copied() && !known.forked || x.origin != ""
}

// plain reports whether a line with a uuid changes nothing but what it hangs on.
func (n *news) plain(e *session.Entry, x *facts) bool {
	g := n.w.graph
	up, known := g.byID[x.parent]
	_, copied := g.byID[x.id]
	file := n.ranks[e.Span.File]
	if !known || copied || file == nil || n.awaited[x.id] || x.parent == x.id {
		return false
	}
	first, begun := g.began[n.sessionOf(x)]
	switch {
	case !begun, x.stamp < first, file.own == "", x.stamp < file.own:
		return false // it may own what others hold, or files come in another order
	case g.copied[up]: // what is said of agents may stand in the copy
		return false
	case g.nodes[up].session != n.sessionOf(x), n.speaksOfAgents(x, up):
		return false
	}
	for _, k := range g.kids[up] {
		if k := g.nodes[k]; k.stamp == x.stamp && n.rankOf(up) > file.rank {
			return false // of equal times the order of files decides
		}
	}
	return true
}

// rankOf is the place in load order of the file that holds a node, or of the last
// one that holds a child of it.
func (n *news) rankOf(up int32) (rank int) {
	for _, k := range n.w.kids[up] {
		f := n.given[n.from[n.w.from[k]]].Span.File
		rank = max(rank, n.ranks[f].rank)
	}
	return rank
}

// sessionOf is the session of a line as the graph has it.
func (n *news) sessionOf(x *facts) string {
	if n.team.apart && x.sidechain && x.agent != "" {
		return threadOf(x.session, x.agent)
	}
	return x.session
}

// speaksOfAgents reports whether a line may say where an agent hangs.
func (n *news) speaksOfAgents(x *facts, up int32) bool {
	switch {
	case x.run != "", x.task != "", x.spawns, len(x.tasks) > 0:
		return true
	case x.agent != "" && (!x.sidechain || n.w.nodes[up].agent != x.agent):
		return true
	case !n.team.trunk && (!x.sidechain || x.agent != n.w.nodes[up].agent): // the line of one agent is not alone any more
		return true
	}
	named := func(id string) bool {
		return n.asked[id] || n.links != nil && n.links.spawned[id] != ""
	}
	return slices.ContainsFunc(x.calls, named) || slices.ContainsFunc(x.results, named)
}

// add puts a node into the graph and onto its line.
func (n *news) add(x *facts, i int, p session.Pos) bool {
	w := n.w
	k := int32(len(w.nodes))
	own := x.node
	own.session = n.sessionOf(x)
	up := w.byID[x.parent]
	w.nodes, w.byID[x.id], w.parent = append(w.nodes, &own), k, append(w.parent, up)
	w.owner, w.kids = append(w.owner, w.owner[up]), append(w.kids, nil)
	w.kids[up] = append(w.kids[up], k)
	w.graph.from, n.from = append(w.graph.from, len(n.from)), append(n.from, i)
	w.spoken, w.height, w.seen = append(w.spoken, false), append(w.height, 0), append(w.seen, false)
	w.segOf, w.side = append(w.segOf, 0), append(w.side, 0)
	w.trackOf, w.rung = append(w.trackOf, none), append(w.rung, 0)
	n.posOf, n.up = append(n.posOf, p), append(n.up, up)
	n.note(k, &own)
	if top := n.undecided(k); top != none {
		return n.lay(top)
	}
	return n.extend(k, up)
}

// undecided measures again what stands above a new node, and answers the highest
// fork that the ladder now decides otherwise, none when there is none.
func (n *news) undecided(k int32) (top int32) {
	w := n.w
	top = none
	changed := true
	for at, steps := k, 0; changed || steps <= deepest+1; steps++ {
		up := w.parent[at]
		if up == none || !w.sameSession(at, up) {
			break
		}
		spoken := w.spoken[up] || w.spoken[at] || w.nodes[at].class.spoken()
		height := max(w.height[up], min(w.height[at], deepest)+1)
		changed = spoken != w.spoken[up] || height != w.height[up]
		w.spoken[up], w.height[up] = spoken, height
		if w.segOf[up] != 0 && w.side[up] == 0 { // its children were decided on
			if children := w.own(up); len(children) > 1 && !w.decided[up].same(w.decide(up, children)) {
				top = up
			}
		}
		at = up
	}
	return top
}

// same reports whether two decisions come to the same.
func (d decision) same(o decision) bool {
	return d.rung == o.rung && d.next == o.next && d.step.fork == o.step.fork && slices.Equal(d.stitch, o.stitch) &&
		slices.Equal(d.queue, o.queue) && slices.Equal(d.drop, o.drop)
}

// extend puts a node behind the last one of its line, or folds it with what it
// hangs on.
func (n *news) extend(k, up int32) bool {
	w := n.w
	w.seen[k] = true
	if r := max(w.rung[up], w.side[up]); r != 0 {
		w.rung[k] = r
		p := n.posOf[k]
		n.out.Parent[p], n.out.Entries[p] = n.posOf[up], n.marked(n.out.Entries[p], r, 0)
		return true
	}
	seg := int(w.segOf[up]) - 1
	s := &w.segments[seg]
	t := &w.tracks[w.trackOf[up]]
	if s.ids[len(s.ids)-1] != up {
		return false
	}
	s.ids = append(s.ids, k)
	w.segOf[k], w.trackOf[k] = int32(seg)+1, w.trackOf[up]
	if t.segments[len(t.segments)-1] != seg {
		return n.retrack(int(w.trackOf[up]))
	}
	t.ids = append(t.ids, k)
	line := &n.out.Lines[w.trackOf[k]]
	line.Entries = append(line.Entries, n.posOf[k])
	n.out.Parent[n.posOf[k]] = n.posOf[up]
	return true
}

// lay lays everything below a fork anew.
func (n *news) lay(top int32) bool {
	w := n.w
	below, ok := n.clear(top)
	if !ok {
		return false
	}
	seg := int(w.segOf[top]) - 1
	s := &w.segments[seg]
	i := len(s.ids) - 1
	for s.ids[i] != top {
		i--
	}
	touched := map[int]bool{int(w.trackOf[top]): true}
	s.ids = s.ids[:i]
	known := len(w.segments)
	for queue := w.lay(seg, top); len(queue) > 0; queue = queue[1:] {
		queue = append(queue, w.segment(queue[0])...)
	}
	for j := known; j < len(w.segments); j++ {
		k := w.join(w.segments, j)
		touched[k] = true
	}
	for k := len(n.out.Lines); k < len(w.tracks); k++ {
		n.out.Lines = append(n.out.Lines, session.DAGLine{})
		n.told = true
	}
	for k := range touched {
		if !n.retrack(k) {
			return false
		}
	}
	if w.attach(); n.attached(touched) {
		n.settle(below)
		return true
	}
	return false
}

// clear forgets where what is below a fork stands. ok is false when that is more
// than is worth it, or a line would be left with nothing.
func (n *news) clear(top int32) (below []int32, ok bool) {
	w := n.w
	below = append(below, w.own(top)...)
	for i := 0; i < len(below); i++ {
		below = append(below, w.own(below[i])...)
		if len(below) > widest || w.heads[below[i]] {
			return nil, false
		}
	}
	for _, p := range below {
		if s := w.segOf[p]; s != 0 && w.segments[s-1].ids[0] == p {
			return nil, false // lines begin below: names and order may change
		}
	}
	w.seen[top] = false
	delete(w.decided, top)
	for _, p := range below {
		w.seen[p], w.segOf[p], w.side[p], w.rung[p], w.trackOf[p] = false, 0, 0, 0, none
		delete(w.decided, p)
	}
	return below, true
}

// retrack makes a line of its segments again.
func (n *news) retrack(k int) bool {
	w := n.w
	t := &w.tracks[k]
	first := none
	if len(t.ids) > 0 {
		first = t.ids[0]
	}
	w.lengthen(w.segments, k)
	if first != none && t.ids[0] != first {
		return false
	}
	for i := 1; i < len(t.segments); i++ {
		if a, b := w.segments[t.segments[i-1]].ids[0], w.segments[t.segments[i]].ids[0]; w.nodes[a].stamp == w.nodes[b].stamp {
			return false // the order in which they were found decides
		}
	}
	n.line(k)
	for i := 1; i < len(t.ids); i++ {
		n.hang(t.ids[i], t.ids[i-1])
	}
	return true
}

// attached hangs lines that are new, and reports whether no line hangs on itself.
func (n *news) attached(touched map[int]bool) bool {
	joined := false
	for k := range touched {
		t := &n.w.tracks[k]
		n.hang(t.ids[0], t.at)
		joined = joined || len(t.segments) > 1
	}
	n.told = true
	if !joined {
		return true
	}
	whole := true
	up := slices.Clone(n.up)
	eachCycle(up, func(at int32) { up[at], whole = none, false })
	return whole
}

// hang notes the parent of a node.
func (n *news) hang(k, up int32) {
	n.up[k] = up
	if p, at := n.posOf[k], n.parentPos(k); n.out.Parent[p] != at {
		n.out.Parent[p] = at
		n.moved[p] = true
	}
}

// settle marks what is folded now, and what is not any more.
func (n *news) settle(below []int32) {
	for _, k := range below {
		p, r := n.posOf[k], n.w.rung[k]
		if r != 0 {
			n.hang(k, n.w.parent[k])
		}
		e := n.given[n.from[n.w.graph.from[k]]]
		if was := n.out.Entries[p]; was.Has(session.FlagArtifact) != (r != 0) || r != 0 && was.Status != r.text() {
			n.out.Entries[p] = n.marked(e, r, 0)
			n.moved[p] = true
		}
	}
}
