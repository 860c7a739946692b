package view

import (
	"sessiontree/internal/session"
	"sessiontree/internal/session/rowtext"
	"sessiontree/web/components"
)

// threadLink links two threads of a session, seen from one side.
type threadLink struct {
	headID       string // id of the thread's first entry
	kind         string // "agent", "session", "retracted"
	title        string
	size         int    // entries
	href         string // URL of the other side
	anchor       string // in a link to the anchor: text of the anchor entry
	anchorThread string // in a link to the anchor: title of its thread
	unattached   bool   // an agent whose start is not recorded
}

// addThreadLinks sets the threads that start at the entry, and the thread whose first entry
// it is.
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

// crossesSessions reports whether a path contains the start of another session.
func crossesSessions(t *session.Tree, path []session.Pos) bool {
	for _, p := range path {
		if t.At(p).HasFlag(session.FlagSession) {
			return true
		}
	}
	return false
}

// linkToThread returns the link from an entry to the thread that begins with p.
func linkToThread(s Scene, p session.Pos) threadLink {
	return threadLink{headID: s.Tree.At(p).ID, kind: threadKind(s.Tree, p), title: rowtext.Cut(threadTitle(s.Tree, p), 120), size: s.Tree.SubtreeSize(p), href: s.branchHref(p)}
}

// linkToAnchor returns the link from p, the first entry of a thread, to the entry it is
// attached to.
func linkToAnchor(s Scene, p session.Pos) *threadLink {
	t := s.Tree
	j := threadLink{headID: t.At(p).ID, kind: threadKind(t, p), title: rowtext.Cut(threadTitle(t, p), 120)}
	up := t.Parent(p)
	if up == session.NoPos {
		j.unattached = j.kind == "agent"
		return &j
	}
	j.anchor, j.href = rowtext.Cut(entryText(t, up), 80), s.entryHref(t.At(up).ID, true)
	if head := threadHead(t, up); j.kind == "session" && head != session.NoPos {
		j.anchorThread = rowtext.Cut(threadTitle(t, head), 80)
	}
	return &j
}

// threadKind returns whether p belongs to an agent, a session or a retracted branch.
func threadKind(t *session.Tree, p session.Pos) string {
	switch e := t.At(p); {
	case e.HasFlag(session.FlagAgent):
		return "agent"
	case e.HasFlag(session.FlagRetracted):
		return kindRetracted
	}
	return "session"
}

// threadHead returns the first entry of the session or agent that contains p.
func threadHead(t *session.Tree, p session.Pos) session.Pos {
	for ; p != session.NoPos; p = t.Parent(p) {
		if l := t.ThreadStartingAt(p); l != nil && !l.Branch {
			return p
		}
	}
	return session.NoPos
}

// threadTitle returns the title of the thread that begins at p.
func threadTitle(t *session.Tree, p session.Pos) string {
	if title := t.LineTitle(p); title != "" {
		return oneLine(rowtext.Cut(title, maxRowRunes))
	}
	return branchTitle(t, p)
}

// unattachedText describes an agent whose start is not recorded.
const unattachedText = "Parent unknown: no entry in these files started this agent"

// kindRetracted is the kind of a thread that the agent removed from its file.
const kindRetracted = "retracted"

// retractedText explains why a retracted branch is shown.
const retractedText = "The agent retracted this and its file no longer contains it; the explorer keeps it"

// threadWarning returns a warning about the place of an entry in the tree, or "".
func threadWarning(t *session.Tree, p session.Pos, e *session.Entry) string {
	if e.HasFlag(session.FlagAgent) && t.Parent(p) == session.NoPos {
		return unattachedText
	}
	if e.HasFlag(session.FlagRetracted) {
		return retractedText
	}
	return orphanWarning(t, p, e)
}

// addThreadHead adds the note before the first entry of a thread.
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
			m.Edited, m.Edit = "came after", &components.Link{Text: "“" + j.anchor + "”", Href: j.href}
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

// addStartedThreads adds a link for each agent and session that starts at an entry.
func (ib *itemBuilder) addStartedThreads(e *pathEntry) {
	for _, j := range e.startedThreads {
		m := components.ItemModel{Kind: "join", ID: domID("j-", e.ID) + "-" + domID("", j.headID), Entry: e.ID, Icon: j.kind, Href: j.href}
		entries := components.Pluralize(j.size, "entry", "entries")
		switch j.kind {
		case "agent":
			m.Title, m.Edit, m.Detail = "Agent", &components.Link{Text: j.title, Href: j.href}, entries
		case kindRetracted:
			m.Icon = "back"
			m.Title, m.Edit, m.Detail = "Retracted", &components.Link{Text: j.title, Href: j.href}, entries
		default:
			m.Title, m.Edit, m.Detail = "Session", &components.Link{Text: j.title, Href: j.href}, "continues from here, "+entries
		}
		ib.addItem(m)
	}
}
