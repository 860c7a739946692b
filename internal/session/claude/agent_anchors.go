package claude

import (
	"maps"
	"slices"
	"strings"
)

// agentAnchors finds the entry that started each agent.
type agentAnchors struct {
	nodes           []*node
	anchor          map[string]string // agent -> id of the entry that its thread is attached to
	multipleAgents  bool              // the nodes are not all of one agent
	separateThreads bool              // each agent has a thread
}

// anchorAgents gives every agent its own thread and attaches the thread to the entry that started
// the agent. Of several sources meta.json comes first, then tool results, then the parent entry in
// another agent's thread.
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
		own := *n // the facts of the line stay as they were read
		own.session = agentSession(n.session, n.agent)
		if at := t.anchor[n.agent]; n.parent == "" && at != n.id {
			own.parent = at
		}
		in[i] = &own
	}
	return in, t
}

// hasAgents reports whether a node or a companion file of the transcripts names an agent.
func hasAgents(in []*node, l *agentLinks) bool {
	if l != nil && len(l.agentByCall)+len(l.runByAgent) > 0 {
		return true
	}
	return slices.ContainsFunc(in, func(n *node) bool { return n.agent != "" })
}

// agentSession returns the session id under which the graph holds an agent's entries.
func agentSession(session, agent string) string {
	if suffix := "#agent-" + agent; !strings.HasSuffix(session, suffix) {
		return session + suffix
	}
	return session
}

// hasMultipleAgents reports whether the nodes belong to more than one agent.
func hasMultipleAgents(in []*node) bool {
	return slices.ContainsFunc(in, func(n *node) bool { return !n.sidechain || n.agent != in[0].agent })
}

// anchorByParent anchors an agent at its first entry whose parent belongs to another agent.
func (t *agentAnchors) anchorByParent() {
	agentOf := map[string]string{}
	for i := range t.nodes {
		if n := t.nodes[i]; n.sidechain && agentOf[n.id] == "" { // the first of several copies counts
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

// anchorByResult anchors an agent at the last entry outside of sidechains that names it.
func (t *agentAnchors) anchorByResult() {
	for i := range t.nodes {
		if n := t.nodes[i]; n.agent != "" && !n.sidechain {
			t.anchor[n.agent] = n.id
		}
	}
}

// anchorByPrompt anchors an agent without an anchor by the prompt of a Task call that equals the
// agent's first prompt.
func (t *agentAnchors) anchorByPrompt() {
	promptByCall := map[string]uint64{} // prompt hashes by tool use id
	for i := range t.nodes {
		for id, words := range t.nodes[i].taskPrompts {
			promptByCall[id] = words
		}
	}
	agentsByPrompt := map[uint64][]string{} // agents by the hash of their first prompt
	began := map[string]bool{}
	for i := range t.nodes {
		n := t.nodes[i]
		if n.sidechain && n.agent != "" && !began[n.agent] {
			began[n.agent] = true
			if n.promptHash != 0 && t.anchor[n.agent] == "" {
				agentsByPrompt[n.promptHash] = append(agentsByPrompt[n.promptHash], n.agent)
			}
		}
	}
	for i := range t.nodes {
		n := t.nodes[i]
		for _, id := range n.results {
			if agents := agentsByPrompt[promptByCall[id]]; n.agent == "" && promptByCall[id] != 0 && len(agents) > 0 {
				t.anchor[agents[0]] = n.id
				agentsByPrompt[promptByCall[id]] = agents[1:]
				break
			}
		}
	}
}

// anchorByWorkflow anchors the agents of a workflow run at the result that names the run.
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

// anchorByMetadata anchors an agent at the first result of the call that meta.json names, else at
// the call itself.
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
