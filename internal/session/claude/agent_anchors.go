package claude

import (
	"maps"
	"slices"
	"strings"
)

// agentAnchors finds which entries started which agents.
type agentAnchors struct {
	nodes           []*node
	anchor          map[string]string // agent -> id of the entry it hangs on
	multipleAgents  bool              // there is more than the line of one agent
	separateThreads bool              // agents have lines of their own
}

// anchorAgents gives every agent a line of its own and hangs it on the entry
// that started it. What meta.json says comes first, then what results say, then
// the entry above in another agent's line.
func anchorAgents(in []*node, l *agentLinks) ([]*node, *agentAnchors) {
	t := &agentAnchors{nodes: in, anchor: map[string]string{}, multipleAgents: hasMultipleAgents(in)}
	if !hasAgents(in, l) {
		t.nodes, t.separateThreads = nil, l != nil && t.multipleAgents
		return in, t
	}
	t.anchorByParent()
	t.anchorByResult()
	if l != nil {
		t.anchorByPrompt()
		t.anchorByWorkflow(l)
		t.anchorByMetadata(l)
	}
	t.separateThreads = len(t.anchor) > 0 || l != nil && t.multipleAgents
	t.nodes = nil
	if !t.separateThreads {
		return in, t
	}
	for i := range in {
		n := in[i]
		if !n.sidechain || n.agent == "" {
			continue
		}
		own := *n // the line itself stays as it was read
		own.session = agentSession(n.session, n.agent)
		if at := t.anchor[n.agent]; n.parent == "" && at != n.id {
			own.parent = at
		}
		in[i] = &own
	}
	return in, t
}

// hasAgents reports whether a line is of an agent or tells of one, or a file beside
// the transcripts does.
func hasAgents(in []*node, l *agentLinks) bool {
	if l != nil && len(l.agentByCall)+len(l.runByAgent) > 0 {
		return true
	}
	return slices.ContainsFunc(in, func(n *node) bool { return n.agent != "" })
}

// agentSession is the session of an agent's line as the graph has it.
func agentSession(session, agent string) string {
	if suffix := "#agent-" + agent; !strings.HasSuffix(session, suffix) {
		return session + suffix
	}
	return session
}

// hasMultipleAgents reports whether more than the line of one agent is there.
func hasMultipleAgents(in []*node) bool {
	return slices.ContainsFunc(in, func(n *node) bool { return !n.sidechain || n.agent != in[0].agent })
}

// anchorByParent: the first entry of an agent whose parent is another agent's.
func (t *agentAnchors) anchorByParent() {
	agentOf := map[string]string{}
	for i := range t.nodes {
		if n := t.nodes[i]; n.sidechain && agentOf[n.id] == "" { // of copies the first one counts
			agentOf[n.id] = n.agent
		}
	}
	for i := range t.nodes {
		n := t.nodes[i]
		if n.agent == "" || !n.sidechain {
			continue
		}
		if other := agentOf[n.parent]; other != "" && other != n.agent && t.anchor[n.agent] == "" {
			t.anchor[n.agent] = n.id
		}
	}
}

// anchorByResult: entries outside of sidechains that name an agent; the last one counts.
func (t *agentAnchors) anchorByResult() {
	for i := range t.nodes {
		if n := t.nodes[i]; n.agent != "" && !n.sidechain {
			t.anchor[n.agent] = n.id
		}
	}
}

// anchorByPrompt: an agent nobody names began with the words of a call of Task.
func (t *agentAnchors) anchorByPrompt() {
	asked := map[string]uint64{} // by tool use id
	for i := range t.nodes {
		for id, words := range t.nodes[i].taskPrompts {
			asked[id] = words
		}
	}
	said := map[uint64][]string{} // agents by their first words
	began := map[string]bool{}
	for i := range t.nodes {
		n := t.nodes[i]
		if n.sidechain && n.agent != "" && !began[n.agent] {
			began[n.agent] = true
			if n.promptHash != 0 && t.anchor[n.agent] == "" {
				said[n.promptHash] = append(said[n.promptHash], n.agent)
			}
		}
	}
	for i := range t.nodes {
		n := t.nodes[i]
		for _, id := range n.results {
			if agents := said[asked[id]]; n.agent == "" && asked[id] != 0 && len(agents) > 0 {
				t.anchor[agents[0]] = n.id
				said[asked[id]] = agents[1:]
				break
			}
		}
	}
}

// anchorByWorkflow: the agents of a run hang on the result that names the run.
func (t *agentAnchors) anchorByWorkflow(l *agentLinks) {
	if len(l.runByAgent) == 0 {
		return
	}
	at := map[string]string{}
	for i := range t.nodes {
		n := t.nodes[i]
		for _, run := range []string{n.run, l.runByTask[n.task]} {
			if run != "" && at[run] == "" {
				at[run] = n.id
			}
		}
	}
	for agent, run := range l.runByAgent {
		if at[run] != "" && t.anchor[agent] == "" {
			t.anchor[agent] = at[run]
		}
	}
}

// anchorByMetadata: meta.json names the call; the agent hangs on its first result, else
// on the call itself.
func (t *agentAnchors) anchorByMetadata(l *agentLinks) {
	calls, results := map[string]string{}, map[string]string{}
	for i := range t.nodes {
		n := t.nodes[i]
		for _, id := range n.calls {
			calls[id] = n.id
		}
		for _, id := range n.results {
			if results[id] == "" {
				results[id] = n.id
			}
		}
	}
	named := maps.Clone(calls)
	maps.Copy(named, results)
	for use, agent := range l.agentByCall {
		if at := named[use]; at != "" {
			t.anchor[agent] = at
		}
	}
}
