package path

import (
	"sessiontree/internal/session"
	"sessiontree/internal/session/rowtext"
	"sessiontree/internal/web/view"
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
func addThreadLinks(s view.Scene, path []session.Pos, i int, e *pathEntry) {
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
		if l := t.Threads().OfAgent(e.Target()); l != nil {
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
func linkToThread(s view.Scene, p session.Pos) threadLink {
	return threadLink{headID: s.Tree.At(p).ID, kind: view.ThreadKind(s.Tree, p), title: rowtext.Cut(view.ThreadTitle(s.Tree, p), 120), size: s.Tree.Subtrees().Size(p), href: s.BranchHref(p)}
}

// linkToAnchor returns the link from p, the first entry of a thread, to the entry it is
// attached to.
func linkToAnchor(s view.Scene, p session.Pos) *threadLink {
	t := s.Tree
	j := threadLink{headID: t.At(p).ID, kind: view.ThreadKind(t, p), title: rowtext.Cut(view.ThreadTitle(t, p), 120)}
	up := t.Parent(p)
	if up == session.NoPos {
		j.unattached = j.kind == "agent"
		return &j
	}
	j.anchor, j.href = rowtext.Cut(view.EntryText(t, up), 80), s.EntryHref(t.At(up).ID, true)
	if head := threadHead(t, up); j.kind == "session" && head != session.NoPos {
		j.anchorThread = rowtext.Cut(view.ThreadTitle(t, head), 80)
	}
	return &j
}

// threadHead returns the first entry of the session or agent that contains p.
func threadHead(t *session.Tree, p session.Pos) session.Pos {
	for ; p != session.NoPos; p = t.Parent(p) {
		if l := t.Threads().StartingAt(p); l != nil && !l.Branch {
			return p
		}
	}
	return session.NoPos
}
