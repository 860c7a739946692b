package session

// Marks holds a mark for each position; nil marks none.
type Marks []bool

// Has reports whether p is marked.
func (m Marks) Has(p Pos) bool { return int(p) < len(m) && m[p] }

// markAgentEntries marks the entries of agents: those of their threads and all
// descendants, except sessions attached there. It returns nil if there is no agent.
func (t *Tree) markAgentEntries() Marks {
	if t.AgentCount() == 0 {
		return nil
	}
	m := make(Marks, len(t.entries))
	for _, p := range t.Preorder(NoPos) {
		up, e := t.parent[p], t.entries[p]
		m[p] = e.HasFlag(FlagAgent) || up != NoPos && m[up] && !e.HasFlag(FlagSession)
	}
	return m
}

// AgentCount returns how many agents have entries in the tree.
func (t *Tree) AgentCount() int { return t.Subtrees().agents }
