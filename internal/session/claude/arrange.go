package claude

import (
	"strings"

	"sessiontree/internal/session"
)

// arranged lays all entries of a unit onto their lines. given are in the order
// in which they were read.
func arranged(files session.Unit, given []*session.Entry) session.Arranged {
	u := newUnit(files, given)
	g := newGraph(u.nodes())
	_, w := walked(g)
	l := newLayout(u, w)
	out := l.result()
	out.Context = contextAt
	if !u.whole && len(w.rings)+len(w.cut) == 0 { // where a ring is cut depends on every line
		out.More = l.more
	}
	return out
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
	in, u.team = anchorAgents(in, u.links)
	return in
}

// unit is the files that are shown as one tree.
type unit struct {
	files []string
	whole bool
	links *links // what other files say of agents; nil when nothing is known
	given []*session.Entry
	order []int // indexes into given, in load order
	from  []int // by index into the graph's input, index into given
	ranks map[int32]*ranked
	team  *team
}

// ranked is a file in load order.
type ranked struct {
	rank    int
	forked  bool
	own     string // the earliest time of an entry that no other file has
	shares  bool   // an entry of it is in other files too
	answers bool   // one of these is an answer
}

func (u *unit) facts(i int) *facts { return u.given[i].Extra.(*facts) }

func (u *unit) name(file int32) string {
	if int(file) < len(u.files) {
		return u.files[file]
	}
	return ""
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

// lineID names an entry without a uuid by its line.
func (u *unit) lineID(e *session.Entry) string {
	if e.Span.File == 0 && !u.whole {
		return e.ID
	}
	return stem(u.name(e.Span.File)) + ":" + e.ID
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
