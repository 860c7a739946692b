package dag

import (
	"maps"
	"slices"
	"strings"
)

// AgentStarts holds what other sources than the nodes say about the start of agents.
type AgentStarts struct {
	AgentByCall map[string]string // tool use id -> agent
	RunByAgent  map[string]string // agent -> workflow run
	RunByTask   map[string]string // task id of a workflow -> its run
}

// AgentLayout describes how the nodes of agents are arranged.
type AgentLayout struct {
	Multiple        bool // the nodes are not all of one agent
	SeparateThreads bool // each agent has a thread
}

// anchorFinder finds the entry that started each agent.
type anchorFinder struct {
	nodes  []*Node
	anchor map[string]string // agent -> id of the entry that its thread is attached to
}

// AnchorAgents gives every agent its own thread and attaches the thread to the entry that started
// the agent. Of several sources AgentByCall comes first, then tool results, then the parent entry in
// another agent's thread.
func AnchorAgents(in []*Node, l *AgentStarts) ([]*Node, AgentLayout) {
	agents := AgentLayout{Multiple: hasMultipleAgents(in)}
	agents.SeparateThreads = l != nil && agents.Multiple
	if !hasAgents(in, l) {
		return in, agents
	}
	t := anchorFinder{nodes: in, anchor: map[string]string{}}
	t.anchorByParent()
	t.anchorByResult()
	if l != nil {
		t.anchorByPrompt()
		t.anchorByWorkflow(l)
		t.anchorByMetadata(l)
	}
	agents.SeparateThreads = agents.SeparateThreads || len(t.anchor) > 0
	if !agents.SeparateThreads {
		return in, agents
	}
	for i := range in {
		n := in[i]
		if !n.Sidechain || n.Agent == "" {
			continue
		}
		own := *n // the facts of the line stay as they were read
		own.Session = AgentSession(n.Session, n.Agent)
		if at := t.anchor[n.Agent]; n.Parent == "" && at != n.ID {
			own.Parent = at
		}
		in[i] = &own
	}
	return in, agents
}

// hasAgents reports whether a node or a companion file of the transcripts names an agent.
func hasAgents(in []*Node, l *AgentStarts) bool {
	if l != nil && len(l.AgentByCall)+len(l.RunByAgent) > 0 {
		return true
	}
	return slices.ContainsFunc(in, func(n *Node) bool { return n.Agent != "" })
}

// AgentMark precedes the agent in the session id of an agent's nodes.
const AgentMark = "#agent-"

// AgentSession returns the session id under which the graph holds an agent's entries.
func AgentSession(session, agent string) string {
	if suffix := AgentMark + agent; !strings.HasSuffix(session, suffix) {
		return session + suffix
	}
	return session
}

// hasMultipleAgents reports whether the nodes belong to more than one agent.
func hasMultipleAgents(in []*Node) bool {
	return slices.ContainsFunc(in, func(n *Node) bool { return !n.Sidechain || n.Agent != in[0].Agent })
}

// anchorByParent anchors an agent at its first entry whose parent belongs to another agent.
func (t *anchorFinder) anchorByParent() {
	agentOf := map[string]string{}
	for i := range t.nodes {
		if n := t.nodes[i]; n.Sidechain && agentOf[n.ID] == "" { // the first of several copies counts
			agentOf[n.ID] = n.Agent
		}
	}
	for i := range t.nodes {
		n := t.nodes[i]
		if n.Agent == "" || !n.Sidechain {
			continue
		}
		if other := agentOf[n.Parent]; other != "" && other != n.Agent && t.anchor[n.Agent] == "" {
			t.anchor[n.Agent] = n.ID
		}
	}
}

// anchorByResult anchors an agent at the last entry outside of sidechains that names it.
func (t *anchorFinder) anchorByResult() {
	for i := range t.nodes {
		if n := t.nodes[i]; n.Agent != "" && !n.Sidechain {
			t.anchor[n.Agent] = n.ID
		}
	}
}

// anchorByPrompt anchors an agent without an anchor by the prompt of a Task call that equals the
// agent's first prompt.
func (t *anchorFinder) anchorByPrompt() {
	promptByCall := map[string]uint64{} // prompt hashes by tool use id
	for i := range t.nodes {
		for id, words := range t.nodes[i].TaskPrompts {
			promptByCall[id] = words
		}
	}
	agentsByPrompt := map[uint64][]string{} // agents by the hash of their first prompt
	began := map[string]bool{}
	for i := range t.nodes {
		n := t.nodes[i]
		if n.Sidechain && n.Agent != "" && !began[n.Agent] {
			began[n.Agent] = true
			if n.PromptHash != 0 && t.anchor[n.Agent] == "" {
				agentsByPrompt[n.PromptHash] = append(agentsByPrompt[n.PromptHash], n.Agent)
			}
		}
	}
	for i := range t.nodes {
		n := t.nodes[i]
		for _, id := range n.Results {
			if agents := agentsByPrompt[promptByCall[id]]; n.Agent == "" && promptByCall[id] != 0 && len(agents) > 0 {
				t.anchor[agents[0]] = n.ID
				agentsByPrompt[promptByCall[id]] = agents[1:]
				break
			}
		}
	}
}

// anchorByWorkflow anchors the agents of a workflow run at the result that names the run.
func (t *anchorFinder) anchorByWorkflow(l *AgentStarts) {
	if len(l.RunByAgent) == 0 {
		return
	}
	at := map[string]string{}
	for i := range t.nodes {
		n := t.nodes[i]
		for _, run := range []string{n.Run, l.RunByTask[n.Task]} {
			if run != "" && at[run] == "" {
				at[run] = n.ID
			}
		}
	}
	for agent, run := range l.RunByAgent {
		if at[run] != "" && t.anchor[agent] == "" {
			t.anchor[agent] = at[run]
		}
	}
}

// anchorByMetadata anchors an agent at the first result of the call that AgentByCall names, else at
// the call itself.
func (t *anchorFinder) anchorByMetadata(l *AgentStarts) {
	calls, results := map[string]string{}, map[string]string{}
	for i := range t.nodes {
		n := t.nodes[i]
		for _, id := range n.Calls {
			calls[id] = n.ID
		}
		for _, id := range n.Results {
			if results[id] == "" {
				results[id] = n.ID
			}
		}
	}
	named := maps.Clone(calls)
	maps.Copy(named, results)
	for use, agent := range l.AgentByCall {
		if at := named[use]; at != "" {
			t.anchor[agent] = at
		}
	}
}
