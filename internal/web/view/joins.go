package view

import (
	"sessiontree/internal/session"
	"sessiontree/web/components"
)

// join is where lines of a session meet, seen from one of the two sides.
type join struct {
	id     string // of the entry with which the line begins
	kind   string // "agent", "session"
	title  string
	size   int    // entries
	href   string // the other side
	anchor string // from the line's side: what the entry says that it hangs on
	in     string // from the line's side: the line that entry is of
	loose  bool   // an agent that nothing started
}

// takeJoins notes what begins at the entry, and which line it begins itself.
func takeJoins(s Scene, path []session.Pos, i int, e *pathEntry) {
	t, p := s.Tree, path[i]
	if e.Begins() || i == 0 && crosses(t, path) {
		e.begins = headOf(s, p)
	}
	for _, k := range t.Children(p) {
		if t.At(k).Begins() && (i+1 == len(path) || path[i+1] != k) {
			e.begun = append(e.begun, joinTo(s, k))
		}
	}
	if e.Kind == session.KindCustomMessage {
		if l := t.AgentLine(e.Target); l != nil {
			e.begun = append(e.begun, joinTo(s, l.Entries[0]))
		}
	}
}

// crosses reports whether a path goes through several sessions.
func crosses(t *session.Tree, path []session.Pos) bool {
	for _, p := range path {
		if t.At(p).Has(session.FlagSession) {
			return true
		}
	}
	return false
}

// joinTo is the line that begins with p, seen from the entry it hangs on.
func joinTo(s Scene, p session.Pos) join {
	return join{id: s.Tree.At(p).ID, kind: lineKind(s.Tree, p), title: cutRunes(lineText(s.Tree, p), 120), size: s.Tree.Size(p), href: s.branchHref(p)}
}

// headOf is the line that begins with p, seen from p.
func headOf(s Scene, p session.Pos) *join {
	t := s.Tree
	j := join{id: t.At(p).ID, kind: lineKind(t, p), title: cutRunes(lineText(t, p), 120)}
	up := t.Parent(p)
	if up == session.NoPos {
		j.loose = j.kind == "agent"
		return &j
	}
	j.anchor, j.href = cutRunes(entryText(t, up), 80), s.href(t.At(up).ID, true)
	if head := lineHead(t, up); j.kind == "session" && head != session.NoPos {
		j.in = cutRunes(lineText(t, head), 80)
	}
	return &j
}

// lineKind tells agents from sessions.
func lineKind(t *session.Tree, p session.Pos) string {
	switch e := t.At(p); {
	case e.Has(session.FlagAgent):
		return "agent"
	case e.Has(session.FlagRewound):
		return kindTakenBack
	}
	return "session"
}

// lineHead is the entry with which the session or agent begins that p is of.
func lineHead(t *session.Tree, p session.Pos) session.Pos {
	for ; p != session.NoPos; p = t.Parent(p) {
		if l := t.LineFrom(p); l != nil && !l.Branch {
			return p
		}
	}
	return session.NoPos
}

// shares reports whether other agents than that of p hang on up, too: the call there
// does not tell them apart.
func shares(t *session.Tree, p, up session.Pos) bool {
	for _, k := range t.Children(up) {
		if k != p && t.At(k).Has(session.FlagAgent) {
			return true
		}
	}
	return false
}

// lineText names the line of an agent or a session, which begins with p: by its
// title, else an agent by the call that started it and no other, else as a branch.
func lineText(t *session.Tree, p session.Pos) string {
	if l := t.LineFrom(p); l != nil && l.Title != "" {
		return oneLine(cutRunes(l.Title, rowRunes))
	}
	if up := t.Parent(p); up != session.NoPos && t.At(p).Has(session.FlagAgent) && !shares(t, p, up) {
		if c, ok := callOf(t, up); ok && c.Arg != "" {
			return oneLine(c.Arg)
		}
		if calls := t.At(up).Calls; len(calls) == 1 && calls[0].Arg != "" {
			return oneLine(calls[0].Arg)
		}
	}
	return branchText(t, p)
}

// notAttached is what is said of an agent that nothing started.
const notAttached = "Parent unknown: no entry in these files started this agent"

// kindTakenBack is the kind of a line that the agent took back.
const kindTakenBack = "rewound"

// takenBack says of a branch why it is there.
const takenBack = "The agent took this back and its file does not hold it any more; the explorer keeps it"

// lineWarning says what is odd about where an entry stands.
func lineWarning(t *session.Tree, p session.Pos, e *session.Entry) string {
	if e.Has(session.FlagAgent) && t.Parent(p) == session.NoPos {
		return notAttached
	}
	if e.Has(session.FlagRewound) {
		return takenBack
	}
	return orphanWarning(t, p, e)
}

// joinHead adds the note that stands before the first entry of a line.
func (ib *itemBuilder) joinHead(e *pathEntry) {
	j := e.begins
	if j == nil {
		return
	}
	m := components.ItemModel{Kind: "join", ID: domID("h-", j.id), Entry: e.ID, Icon: j.kind, Title: ucFirst(j.kind), Detail: j.title}
	switch {
	case j.loose:
		m.Error = notAttached
	case j.kind == kindTakenBack:
		m.Icon, m.Error = "back", takenBack
		if j.href != "" {
			m.Edited, m.Edit = "stood behind", &components.Link{Text: "“" + j.anchor + "”", Href: j.href}
		}
	case j.href != "" && j.kind == "agent":
		m.Edited, m.Edit = "started at", &components.Link{Text: "“" + j.anchor + "”", Href: j.href}
	case j.href != "":
		m.Edited, m.Edit = "continues from", &components.Link{Text: "“" + j.anchor + "”", Href: j.href}
		if j.in != "" {
			m.Pairs = []components.Pair{{Name: "in", Value: j.in}}
		}
	}
	ib.add(m)
}

// joinLines adds a line for each agent and session that begins at an entry.
func (ib *itemBuilder) joinLines(e *pathEntry) {
	for _, j := range e.begun {
		m := components.ItemModel{Kind: "join", ID: domID("j-", e.ID) + "-" + domID("", j.id), Entry: e.ID, Icon: j.kind, Href: j.href}
		entries := plural(j.size, "entry", "entries")
		switch j.kind {
		case "agent":
			m.Title, m.Edit, m.Detail = "Agent", &components.Link{Text: j.title, Href: j.href}, entries
		case kindTakenBack:
			m.Icon = "back"
			m.Title, m.Edit, m.Detail = "Rewound", &components.Link{Text: j.title, Href: j.href}, entries
		default:
			m.Title, m.Edit, m.Detail = "Session", &components.Link{Text: j.title, Href: j.href}, "continues from here, "+entries
		}
		ib.add(m)
	}
}
