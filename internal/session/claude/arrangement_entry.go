package claude

import (
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
