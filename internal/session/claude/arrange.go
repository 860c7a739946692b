package claude

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"sessiontree/internal/session"
)

// arranged lays all entries of a unit onto their lines. given are in the order
// in which they were read.
func arranged(files session.Unit, given []*session.Entry) session.Arranged {
	u := newUnit(files, given)
	return u.result(arrange(newGraph(u.nodes())))
}

func newUnit(files session.Unit, given []*session.Entry) *unit {
	u := &unit{files: files.Names, whole: files.Whole, given: given}
	u.links, _ = files.Extra.(*links)
	return u
}

// nodes answers the lines that have a uuid, in load order, agents on lines of
// their own.
func (u *unit) nodes() []*node {
	u.order = u.loadOrder()
	var in []*node
	for _, i := range u.order {
		if x := u.facts(i); x.hasID {
			in = append(in, &x.node)
			u.from = append(u.from, i)
		}
	}
	return anchorAgents(in, u.links)
}

// unit is the files that are shown as one tree.
type unit struct {
	files []string
	whole bool
	links *links // what other files say of agents; nil when nothing is known
	given []*session.Entry
	order []int // indexes into given, in load order
	from  []int // by index into the graph's input, index into given
}

func (u *unit) facts(i int) *facts { return u.given[i].Extra.(*facts) }

// loadOrder sorts the files: those without forkedFrom first, then by the time of
// their earliest entry that stands in no other file, then by name.
func (u *unit) loadOrder() []int {
	type file struct {
		index  int32
		forked bool
		own    string // the earliest time of an entry that no other file has
		lines  []int
	}
	in := map[string]int32{} // the file an id stands in, -1 for several
	at := map[int32]int{}
	var files []file
	for i := range u.given {
		f := u.given[i].Span.File
		k, ok := at[f]
		if !ok {
			k = len(files)
			at[f] = k
			files = append(files, file{index: f})
		}
		files[k].lines = append(files[k].lines, i)
		x := u.facts(i)
		files[k].forked = files[k].forked || x.forked != ""
		if x.hasID {
			if other, ok := in[x.id]; ok && other != f {
				in[x.id] = -1
			} else {
				in[x.id] = f
			}
		}
	}
	for k := range files {
		for _, i := range files[k].lines {
			if x := u.facts(i); x.hasID && in[x.id] == files[k].index && (files[k].own == "" || x.stamp < files[k].own) {
				files[k].own = x.stamp
			}
		}
	}
	slices.SortStableFunc(files, func(a, b file) int {
		return cmp.Or(rank(a.forked, b.forked), rank(a.own == "", b.own == ""), cmp.Compare(a.own, b.own),
			cmp.Compare(u.name(a.index), u.name(b.index)))
	})
	order := make([]int, 0, len(u.given))
	for _, f := range files {
		order = append(order, f.lines...)
	}
	return order
}

func rank(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

func (u *unit) name(file int32) string {
	if int(file) < len(u.files) {
		return u.files[file]
	}
	return ""
}

// result makes positions of nodes: in the order of given, so that entries keep
// their place while files grow.
func (u *unit) result(a *arrangement) session.Arranged {
	out := session.Arranged{}
	nodeAt := make(map[int]int32, len(a.nodes)) // by index into given
	for n := range a.nodes {
		nodeAt[u.from[a.from[n]]] = int32(n)
	}
	posOf := make([]session.Pos, len(a.nodes))
	keep := make([]int, 0, len(u.given))
	for i := range u.given {
		n, ok := nodeAt[i]
		if x := u.facts(i); x.hasID && !ok {
			continue // a copy
		}
		if ok {
			posOf[n] = session.Pos(len(keep))
		}
		keep = append(keep, i)
	}
	up := a.parents()
	begins, agents := u.begins(a), a.agents()
	out.Entries = make([]*session.Entry, len(keep))
	out.Parent = make([]session.Pos, len(keep))
	beside := u.beside(a, posOf)
	for p, i := range keep {
		e := u.given[i]
		out.Parent[p] = session.NoPos
		if n, ok := nodeAt[i]; ok {
			if up[n] != none {
				out.Parent[p] = posOf[up[n]]
			}
			r, flag := a.rung[n], begins[n]
			if r != 0 {
				flag |= session.FlagArtifact
			}
			head, about := agents[u.facts(i).notifies]
			if flag != 0 || about {
				marked := *e
				marked.Flags |= flag
				if r != 0 {
					marked.Status = r.text()
				}
				if about {
					marked.Target = a.nodes[head].id
				}
				e = &marked
			}
		} else {
			if id := u.lineID(e); id != e.ID {
				named := *e
				named.ID = id
				e = &named
			}
			if at, ok := beside[i]; ok {
				out.Parent[p] = at
			}
		}
		out.Entries[p] = e
	}
	out.Leaf = u.leaf(a, posOf, out.Entries)
	out.Notes = u.notes(a)
	out.Lines = a.list(posOf)
	titles := u.titles(a)
	for k := range out.Lines {
		l := &out.Lines[k]
		n := a.nodes[a.tracks[k].ids[0]]
		l.Session, _, _ = strings.Cut(n.session, "#agent-")
		switch {
		case n.sidechain && n.agent != "" && strings.HasSuffix(n.session, "#agent-"+n.agent):
			l.Title = u.links.purpose(n.agent)
		case !l.Branch:
			l.Title = titles[l.Session]
		}
	}
	return out
}

// agents answers the entry with which each agent begins.
func (a *arrangement) agents() map[string]int32 {
	heads := map[string]int32{}
	for k := range a.tracks {
		if t := &a.tracks[k]; !t.branch {
			if n := a.nodes[t.ids[0]]; n.sidechain && n.agent != "" {
				heads[n.agent] = t.ids[0]
			}
		}
	}
	return heads
}

// begins marks the entries with which agents and other sessions begin.
func (u *unit) begins(a *arrangement) map[int32]session.Flags {
	marks := map[int32]session.Flags{}
	for k := range a.tracks {
		t := &a.tracks[k]
		switch first := t.ids[0]; {
		case strings.Contains(a.nodes[first].session, "#agent-"):
			if !t.branch {
				marks[first] = session.FlagAgent
			}
		case !t.branch && t.at != none:
			marks[first] = session.FlagSession
		}
	}
	return marks
}

// titles names the sessions: the title given by hand, else the one the agent
// found, else a summary of one of its entries, else the first prompt.
func (u *unit) titles(a *arrangement) map[string]string {
	var byHand, found, summed, asked = map[string]string{}, map[string]string{}, map[string]string{}, map[string]string{}
	for _, i := range u.order {
		x := u.facts(i)
		if x.title != "" {
			byHand[x.about] = x.title
		}
		if x.aiTitle != "" {
			found[x.about] = x.aiTitle
		}
		if n, ok := a.byID[x.leaf]; ok && x.summary != "" {
			s, _, _ := strings.Cut(a.nodes[n].session, "#agent-")
			summed[s] = x.summary
		}
		if x.prompt != "" && !x.sidechain && asked[x.about] == "" {
			asked[x.about] = x.prompt
		}
	}
	for _, better := range []map[string]string{summed, found, byHand} {
		maps.Copy(asked, better)
	}
	return asked
}

// lineID names an entry without a uuid by its line.
func (u *unit) lineID(e *session.Entry) string {
	if e.Span.File == 0 && !u.whole {
		return e.ID
	}
	return stem(u.name(e.Span.File)) + ":" + e.ID
}

// beside hangs lines without a uuid: under the entry recorded before them in
// their file, or where none is before the first behind them; a journal's under
// the agent they are about.
func (u *unit) beside(a *arrangement, posOf []session.Pos) map[int]session.Pos {
	at := map[int]session.Pos{}
	before := map[int32]session.Pos{}
	var waiting []int
	agents := map[string]session.Pos{}
	for n := range a.nodes {
		if x := a.nodes[n]; x.sidechain && x.agent != "" {
			if _, ok := agents[x.agent]; !ok {
				agents[x.agent] = posOf[n]
			}
		}
	}
	for i := range u.given {
		x, f := u.facts(i), u.given[i].Span.File
		if x.hasID {
			p := posOf[a.byID[x.id]]
			if _, ok := before[f]; !ok {
				for _, w := range waiting {
					if u.given[w].Span.File == f {
						at[w] = p
					}
				}
			}
			before[f] = p
			continue
		}
		if p, ok := agents[x.agent]; ok && x.agent != "" {
			at[i] = p
		} else if p, ok := before[f]; ok {
			at[i] = p
		} else {
			waiting = append(waiting, i)
		}
	}
	return at
}

// leaf is where the agent stands in the unit's main session: the entry that
// last-prompt names, else the last user or assistant line outside of sidechains.
func (u *unit) leaf(a *arrangement, posOf []session.Pos, entries []*session.Entry) session.Pos {
	named, last, main := none, none, u.main()
	for i := range u.given {
		if u.given[i].Span.File != main {
			continue
		}
		x := u.facts(i)
		n, known := a.byID[x.id]
		switch {
		case u.given[i].Role == "last-prompt" && x.leaf != "":
			if n, ok := a.byID[x.leaf]; ok {
				named = n
			}
		case x.hasID && known && x.class.spoken() && !x.sidechain:
			last = n
		}
	}
	if named != none {
		last = named
	}
	switch {
	case last != none:
		return posOf[last]
	case len(entries) > 0:
		return session.Pos(len(entries) - 1)
	}
	return session.NoPos
}

// main is the file whose session is shown; of a directory, the one with the
// newest line.
func (u *unit) main() (file int32) {
	if !u.whole {
		return 0
	}
	newest := ""
	for i := range u.given {
		if x := u.facts(i); x.hasID && !x.sidechain && x.stamp > newest {
			newest, file = x.stamp, u.given[i].Span.File
		}
	}
	return file
}

// list makes the lines that people and programs are told.
func (a *arrangement) list(posOf []session.Pos) []session.DAGLine {
	out := make([]session.DAGLine, len(a.tracks))
	for k := range a.tracks {
		t := &a.tracks[k]
		l := session.DAGLine{Name: t.name, Parent: t.parent, At: session.NoPos, Branch: t.branch}
		if t.at != none {
			l.At = posOf[t.at]
		}
		for _, n := range t.ids {
			l.Entries = append(l.Entries, posOf[n])
		}
		out[k] = l
	}
	return out
}

func stem(name string) string {
	for i := len(name) - 1; i >= 0; i-- {
		if name[i] == '/' {
			name = name[i+1:]
			break
		}
	}
	if i := len(name) - len(".jsonl"); i > 0 && name[i:] == ".jsonl" {
		return name[:i]
	}
	return name
}

// text says to people why an entry is folded.
func (r rungID) text() string {
	switch r {
	case rungStructural:
		return "recorded beside the conversation by a hook or progress line"
	case rungToolResult:
		return "recorded below a tool result while the answer went on"
	case rungDeadEnd:
		return "a tool call that led nowhere"
	case rungPassthrough:
		return "recorded beside a progress line that carries the conversation"
	case rungReplay:
		return "written again by a compaction"
	}
	return ""
}
