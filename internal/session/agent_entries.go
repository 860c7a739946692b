package session

// entryMarks holds a mark for each position; nil marks none.
type entryMarks []bool

func (m entryMarks) isMarked(p Pos) bool { return int(p) < len(m) && m[p] }

// markAgentEntries marks the entries of agents: those of their threads and all
// descendants, except sessions attached there. It returns nil if there is no agent.
func (t *Tree) markAgentEntries() entryMarks {
	if t.AgentCount() == 0 {
		return nil
	}
	m := make(entryMarks, len(t.entries))
	for _, p := range t.preorder(NoPos) {
		up, e := t.parent[p], t.entries[p]
		m[p] = e.HasFlag(FlagAgent) || up != NoPos && m[up] && !e.HasFlag(FlagSession)
	}
	return m
}

// AgentCount returns how many agents have entries in the tree.
func (t *Tree) AgentCount() int { return t.computeStats().agents }
