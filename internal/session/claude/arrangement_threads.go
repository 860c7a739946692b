package claude

import (
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/claude/dag"
)

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
