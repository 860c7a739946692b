package path

import (
	"slices"

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
	agent        agentSums
}

// agentSums is what an agent did and what it cost.
type agentSums struct {
	session       string // title of the session
	calls, failed int
	tokens        int64
	dollars       float64
	duration      int64  // from its first to its last entry, in ms
	lastLine      string // of its last answer
}

// sumAgent sums the entries of the agent whose first entry is head. It reads only those: each is on
// one page.
func sumAgent(s view.Scene, head session.Pos) agentSums {
	a, costs := agentSums{session: rowtext.Cut(view.SessionName(s.Tree), 80)}, s.Costs()
	first, last, answer := session.NoTime, session.NoTime, session.NoPos
	for _, p := range agentEntries(s.Tree, head) {
		e := s.Tree.At(p)
		calls, failed := e.CountCalls()
		spent := costs.Entry(p)
		a.calls, a.failed, a.tokens, a.dollars = a.calls+calls, a.failed+failed, a.tokens+spent.Tokens, a.dollars+spent.Cost
		if e.Time != session.NoTime {
			if first == session.NoTime {
				first = e.Time
			}
			last = max(last, e.Time)
		}
		if e.Kind == session.KindAssistant && e.Preview != "" {
			answer = p
		}
	}
	if answer != session.NoPos {
		a.lastLine = rowtext.Cut(view.EntryText(s.Tree, answer), 200)
	}
	if first != session.NoTime {
		a.duration = last - first
	}
	return a
}

// agentEntries returns the entries of an agent, the first one first: those of its thread, or those
// up to its newest leaf in formats without threads.
func agentEntries(t *session.Tree, head session.Pos) []session.Pos {
	if l := t.Threads().StartingAt(head); l != nil {
		return l.Entries
	}
	var list []session.Pos
	for p := t.Subtrees().NewestLeaf(head); p != session.NoPos; p = t.Parent(p) {
		list = append(list, p)
		if p == head {
			break
		}
	}
	slices.Reverse(list)
	return list
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
	j := threadLink{headID: s.Tree.At(p).ID, kind: view.ThreadKind(s.Tree, p), title: rowtext.Cut(view.ThreadTitle(s.Tree, p), 120), size: s.Tree.Subtrees().Size(p), href: s.BranchHref(p)}
	if j.kind == "agent" {
		j.agent = sumAgent(s, p)
	}
	return j
}

// linkToAnchor returns the link from p, the first entry of a thread, to the entry it is
// attached to.
func linkToAnchor(s view.Scene, p session.Pos) *threadLink {
	t := s.Tree
	j := threadLink{headID: t.At(p).ID, kind: view.ThreadKind(t, p), title: rowtext.Cut(view.ThreadTitle(t, p), 120)}
	if j.kind == "agent" {
		j.agent, j.size = sumAgent(s, p), t.Subtrees().Size(p)
	}
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

// agentEnd reports whether p, the end of a path, belongs to a sub-agent, and when the result of the
// call that started it was recorded: session.NoTime if that did not wait for the sub-agent.
func agentEnd(t *session.Tree, p session.Pos) (inAgent bool, returned int64) {
	head := view.FindAgent(t, p)
	if head == session.NoPos {
		return false, session.NoTime
	}
	if up := t.Parent(head); up != session.NoPos && t.At(up).Kind == session.KindToolResult && t.At(up).Status() == "" && t.At(up).Time >= t.At(p).Time {
		return true, t.At(up).Time
	}
	return true, session.NoTime
}
