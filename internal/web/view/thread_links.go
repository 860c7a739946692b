package view

import (
	"sessiontree/internal/session"
	"sessiontree/web/components"
)

// threadLink is where lines of a session meet, seen from one of the two sides.
type threadLink struct {
	headID       string // of the entry with which the line begins
	kind         string // "agent", "session"
	title        string
	size         int    // entries
	href         string // the other side
	anchor       string // from the line's side: what the entry says that it hangs on
	anchorThread string // from the line's side: the line that entry is of
	unattached   bool   // an agent that nothing started
}

// addThreadLinks notes what begins at the entry, and which line it begins itself.
func addThreadLinks(s Scene, path []session.Pos, i int, e *pathEntry) {
	t, p := s.Tree, path[i]
	if e.StartsThread() || i == 0 && crossesSessions(t, path) {
		e.ownThread = linkToAnchor(s, p)
	}
	for _, k := range t.Children(p) {
		if t.At(k).StartsThread() && (i+1 == len(path) || path[i+1] != k) {
			e.startedThreads = append(e.startedThreads, linkToThread(s, k))
		}
	}
	if e.Kind == session.KindCustomMessage {
		if l := t.AgentThread(e.Target()); l != nil {
			e.startedThreads = append(e.startedThreads, linkToThread(s, l.Entries[0]))
		}
	}
}

// crossesSessions reports whether a path goes through several sessions.
func crossesSessions(t *session.Tree, path []session.Pos) bool {
	for _, p := range path {
		if t.At(p).HasFlag(session.FlagSession) {
			return true
		}
	}
	return false
}

// linkToThread is the line that begins with p, seen from the entry it hangs on.
func linkToThread(s Scene, p session.Pos) threadLink {
	return threadLink{headID: s.Tree.At(p).ID, kind: threadKind(s.Tree, p), title: cutRunes(threadTitle(s.Tree, p), 120), size: s.Tree.SubtreeSize(p), href: s.branchHref(p)}
}

// linkToAnchor is the line that begins with p, seen from p.
func linkToAnchor(s Scene, p session.Pos) *threadLink {
	t := s.Tree
	j := threadLink{headID: t.At(p).ID, kind: threadKind(t, p), title: cutRunes(threadTitle(t, p), 120)}
	up := t.Parent(p)
	if up == session.NoPos {
		j.unattached = j.kind == "agent"
		return &j
	}
	j.anchor, j.href = cutRunes(entryText(t, up), 80), s.entryHref(t.At(up).ID, true)
	if head := threadHead(t, up); j.kind == "session" && head != session.NoPos {
		j.anchorThread = cutRunes(threadTitle(t, head), 80)
	}
	return &j
}

// threadKind tells agents from sessions.
func threadKind(t *session.Tree, p session.Pos) string {
	switch e := t.At(p); {
	case e.HasFlag(session.FlagAgent):
		return "agent"
	case e.HasFlag(session.FlagRetracted):
		return kindRetracted
	}
	return "session"
}

// threadHead is the entry with which the session or agent begins that p is of.
func threadHead(t *session.Tree, p session.Pos) session.Pos {
	for ; p != session.NoPos; p = t.Parent(p) {
		if l := t.ThreadStartingAt(p); l != nil && !l.Branch {
			return p
		}
	}
	return session.NoPos
}

// sharesAnchor reports whether other agents than that of p hang on up, too: the call there
// does not tell them apart.
func sharesAnchor(t *session.Tree, p, up session.Pos) bool {
	for _, k := range t.Children(up) {
		if k != p && t.At(k).HasFlag(session.FlagAgent) {
			return true
		}
	}
	return false
}

// threadTitle names the line of an agent or a session, which begins with p: by its
// title, else an agent by the call that started it and no other, else as a branch.
func threadTitle(t *session.Tree, p session.Pos) string {
	if l := t.ThreadStartingAt(p); l != nil && l.Title != "" {
		return oneLine(cutRunes(l.Title, maxRowRunes))
	}
	if up := t.Parent(p); up != session.NoPos && t.At(p).HasFlag(session.FlagAgent) && !sharesAnchor(t, p, up) {
		if c, ok := findCall(t, up); ok && c.Arg != "" {
			return oneLine(c.Arg)
		}
		if calls := t.At(up).Calls(); len(calls) == 1 && calls[0].Arg != "" {
			return oneLine(calls[0].Arg)
		}
	}
	return branchTitle(t, p)
}

// unattachedText is what is said of an agent that nothing started.
const unattachedText = "Parent unknown: no entry in these files started this agent"

// kindRetracted is the kind of a line that the agent took back.
const kindRetracted = "rewound"

// retractedText says of a branch why it is there.
const retractedText = "The agent took this back and its file does not hold it any more; the explorer keeps it"

// threadWarning says what is odd about where an entry stands.
func threadWarning(t *session.Tree, p session.Pos, e *session.Entry) string {
	if e.HasFlag(session.FlagAgent) && t.Parent(p) == session.NoPos {
		return unattachedText
	}
	if e.HasFlag(session.FlagRetracted) {
		return retractedText
	}
	return orphanWarning(t, p, e)
}

// addThreadHead adds the note that stands before the first entry of a line.
func (ib *itemBuilder) addThreadHead(e *pathEntry) {
	j := e.ownThread
	if j == nil {
		return
	}
	m := components.ItemModel{Kind: "join", ID: domID("h-", j.headID), Entry: e.ID, Icon: j.kind, Title: upperFirst(j.kind), Detail: j.title}
	switch {
	case j.unattached:
		m.Error = unattachedText
	case j.kind == kindRetracted:
		m.Icon, m.Error = "back", retractedText
		if j.href != "" {
			m.Edited, m.Edit = "stood behind", &components.Link{Text: "“" + j.anchor + "”", Href: j.href}
		}
	case j.href != "" && j.kind == "agent":
		m.Edited, m.Edit = "started at", &components.Link{Text: "“" + j.anchor + "”", Href: j.href}
	case j.href != "":
		m.Edited, m.Edit = "continues from", &components.Link{Text: "“" + j.anchor + "”", Href: j.href}
		if j.anchorThread != "" {
			m.Pairs = []components.Pair{{Name: "in", Value: j.anchorThread}}
		}
	}
	ib.addItem(m)
}

// addStartedThreads adds a line for each agent and session that begins at an entry.
func (ib *itemBuilder) addStartedThreads(e *pathEntry) {
	for _, j := range e.startedThreads {
		m := components.ItemModel{Kind: "join", ID: domID("j-", e.ID) + "-" + domID("", j.headID), Entry: e.ID, Icon: j.kind, Href: j.href}
		entries := pluralize(j.size, "entry", "entries")
		switch j.kind {
		case "agent":
			m.Title, m.Edit, m.Detail = "Agent", &components.Link{Text: j.title, Href: j.href}, entries
		case kindRetracted:
			m.Icon = "back"
			m.Title, m.Edit, m.Detail = "Rewound", &components.Link{Text: j.title, Href: j.href}, entries
		default:
			m.Title, m.Edit, m.Detail = "Session", &components.Link{Text: j.title, Href: j.href}, "continues from here, "+entries
		}
		ib.addItem(m)
	}
}
