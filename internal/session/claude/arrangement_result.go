package claude

import (
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/claude/dag"
)

// withArrangementFlags returns e with the flags and the status that the arrangement gives it.
func (l *arrangement) withArrangementFlags(e *session.Entry, r dag.Rung, flag session.Flags) *session.Entry {
	if r != 0 {
		flag |= session.FlagArtifact
	}
	if flag == 0 {
		return e
	}
	m := *e
	m.Flags |= flag
	if r != 0 {
		m.OwnDetails().Status = r.Reason()
	}
	return &m
}

// withFileTime returns e with the first time of its file if e precedes all lines that record one.
func (l *arrangement) withFileTime(e *session.Entry) *session.Entry {
	first, ok := l.fileStart[e.Span.File]
	if e.SortTime != session.NoTime || !ok {
		return e
	}
	m := *e
	m.SortTime = first
	return &m
}

// lastCopiedLines returns, for each file, the line of the last answer copied from another session.
// A fork begins with a copy of the whole conversation before it.
func (u *fileGroup) lastCopiedLines() map[int32]int32 {
	last := map[int32]int32{}
	for i, e := range u.entries {
		if u.factsAt(i).Origin != "" {
			last[e.Span.File] = max(last[e.Span.File], e.Span.Line)
		}
	}
	return last
}

// withCopiedFlag returns e, marked as copied if its line is a copy.
func (l *arrangement) withCopiedFlag(e *session.Entry) *session.Entry {
	if e.Copied || e.Span.Line > l.lastCopiedLine[e.Span.File] {
		return e
	}
	m := *e
	m.Copied = true
	return &m
}

// withQualifiedID returns e with the id by which the tree finds an entry without a uuid.
func (l *arrangement) withQualifiedID(e *session.Entry) *session.Entry {
	id := l.group.qualifiedID(e)
	if id == e.ID {
		return e
	}
	m := *e
	m.ID = id
	return &m
}

// buildThread builds thread k of the result.
func (l *arrangement) buildThread(k int) {
	t := &l.threads.List[k]
	line := &l.out.Threads[k]
	line.Name, line.Branch, line.Leaf = t.Name, t.Branch, session.NoPos
	line.Session, line.Agent, _ = strings.Cut(l.threads.Graph.Nodes[t.Nodes[0]].Session, dag.AgentMark)
	line.Entries = line.Entries[:0]
	for _, n := range t.Nodes {
		line.Entries = append(line.Entries, l.posOf[n])
	}
}

// describeThreads sets the fields of all threads that may change when others do.
func (l *arrangement) describeThreads() {
	for k := range l.out.Threads {
		t, line := &l.threads.List[k], &l.out.Threads[k]
		line.Parent, line.At = t.Parent, session.NoPos
		if t.At != dag.NoNode {
			line.At = l.posOf[t.At]
		}
		n := l.threads.Graph.Nodes[t.Nodes[0]]
		switch {
		case n.Sidechain && n.Agent != "" && strings.HasSuffix(n.Session, dag.AgentMark+n.Agent):
			line.Title = l.group.purposes[n.Agent]
		case !t.Branch:
			line.Title = l.titles.sessionTitle(line.Session)
			if at, ok := l.sessionLeaf[line.Session]; ok {
				line.Leaf = l.posOf[at.at]
			}
		}
	}
}
