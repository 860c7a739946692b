package claude

import (
	"maps"
	"slices"
	"strings"
)

// team finds which entries started which agents.
type team struct {
	in     []*node
	anchor map[string]string // agent -> id of the entry it hangs on
	trunk  bool              // there is more than the line of one agent
	apart  bool              // agents have lines of their own
}

// anchorAgents gives every agent a line of its own and hangs it on the entry
// that started it. What meta.json says comes first, then what results say, then
// the entry above in another agent's line.
func anchorAgents(in []*node, l *links) ([]*node, *team) {
	t := &team{in: in, anchor: map[string]string{}, trunk: trunk(in)}
	if !anyAgent(in, l) {
		t.in, t.apart = nil, l != nil && t.trunk
		return in, t
	}
	t.crossing()
	t.results()
	if l != nil {
		t.prompts()
		t.workflows(l)
		t.sidecars(l)
	}
	t.apart = len(t.anchor) > 0 || l != nil && t.trunk
	t.in = nil
	if !t.apart {
		return in, t
	}
	for i := range in {
		n := in[i]
		if !n.sidechain || n.agent == "" {
			continue
		}
		own := *n // the line itself stays as it was read
		own.session = threadOf(n.session, n.agent)
		if at := t.anchor[n.agent]; n.parent == "" && at != n.id {
			own.parent = at
		}
		in[i] = &own
	}
	return in, t
}

// anyAgent reports whether a line is of an agent or tells of one, or a file beside
// the transcripts does.
func anyAgent(in []*node, l *links) bool {
	if l != nil && len(l.spawned)+len(l.run) > 0 {
		return true
	}
	return slices.ContainsFunc(in, func(n *node) bool { return n.agent != "" })
}

// threadOf is the session of an agent's line as the graph has it.
func threadOf(session, agent string) string {
	if suffix := "#agent-" + agent; !strings.HasSuffix(session, suffix) {
		return session + suffix
	}
	return session
}

// trunk reports whether more than the line of one agent is there.
func trunk(in []*node) bool {
	return slices.ContainsFunc(in, func(n *node) bool { return !n.sidechain || n.agent != in[0].agent })
}

// crossing: the first entry of an agent whose parent is another agent's.
func (t *team) crossing() {
	agentOf := map[string]string{}
	for i := range t.in {
		if n := t.in[i]; n.sidechain && agentOf[n.id] == "" { // of copies the first one counts
			agentOf[n.id] = n.agent
		}
	}
	for i := range t.in {
		n := t.in[i]
		if n.agent == "" || !n.sidechain {
			continue
		}
		if other := agentOf[n.parent]; other != "" && other != n.agent && t.anchor[n.agent] == "" {
			t.anchor[n.agent] = n.id
		}
	}
}

// results: entries outside of sidechains that name an agent; the last one counts.
func (t *team) results() {
	for i := range t.in {
		if n := t.in[i]; n.agent != "" && !n.sidechain {
			t.anchor[n.agent] = n.id
		}
	}
}

// prompts: an agent nobody names began with the words of a call of Task.
func (t *team) prompts() {
	asked := map[string]uint64{} // by tool use id
	for i := range t.in {
		for id, words := range t.in[i].tasks {
			asked[id] = words
		}
	}
	said := map[uint64][]string{} // agents by their first words
	began := map[string]bool{}
	for i := range t.in {
		n := t.in[i]
		if n.sidechain && n.agent != "" && !began[n.agent] {
			began[n.agent] = true
			if n.said != 0 && t.anchor[n.agent] == "" {
				said[n.said] = append(said[n.said], n.agent)
			}
		}
	}
	for i := range t.in {
		n := t.in[i]
		for _, id := range n.results {
			if agents := said[asked[id]]; n.agent == "" && asked[id] != 0 && len(agents) > 0 {
				t.anchor[agents[0]] = n.id
				said[asked[id]] = agents[1:]
				break
			}
		}
	}
}

// workflows: the agents of a run hang on the result that names the run.
func (t *team) workflows(l *links) {
	if len(l.run) == 0 {
		return
	}
	at := map[string]string{}
	for i := range t.in {
		n := t.in[i]
		for _, run := range []string{n.run, l.task[n.task]} {
			if run != "" && at[run] == "" {
				at[run] = n.id
			}
		}
	}
	for agent, run := range l.run {
		if at[run] != "" && t.anchor[agent] == "" {
			t.anchor[agent] = at[run]
		}
	}
}

// sidecars: meta.json names the call; the agent hangs on its first result, else
// on the call itself.
func (t *team) sidecars(l *links) {
	calls, results := map[string]string{}, map[string]string{}
	for i := range t.in {
		n := t.in[i]
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
	for use, agent := range l.spawned {
		if at := named[use]; at != "" {
			t.anchor[agent] = at
		}
	}
}
