package claude

import (
	"strings"

	"sessiontree/internal/session"
)

// buildThread builds thread k of the result.
func (l *arrangement) buildThread(k int) {
	t := &l.threader.threads[k]
	line := &l.out.Threads[k]
	line.Name, line.Branch, line.Leaf = t.name, t.branch, session.NoPos
	line.Session, line.Agent, _ = strings.Cut(l.threader.graph.nodes[t.nodes[0]].session, "#agent-")
	line.Entries = line.Entries[:0]
	for _, n := range t.nodes {
		line.Entries = append(line.Entries, l.posOf[n])
	}
}

// describeThreads sets the fields of all threads that may change when others do.
func (l *arrangement) describeThreads() {
	for k := range l.out.Threads {
		t, line := &l.threader.threads[k], &l.out.Threads[k]
		line.Parent, line.At = t.parent, session.NoPos
		if t.at != noNode {
			line.At = l.posOf[t.at]
		}
		n := l.threader.graph.nodes[t.nodes[0]]
		switch {
		case n.sidechain && n.agent != "" && strings.HasSuffix(n.session, "#agent-"+n.agent):
			line.Title = l.group.agentLinks.agentPurpose(n.agent)
		case !t.branch:
			line.Title = l.titles.sessionTitle(line.Session)
			if at, ok := l.sessionLeaf[line.Session]; ok {
				line.Leaf = l.posOf[at.at]
			}
		}
	}
}
