package session

// entryMarks says of each position whether it is marked; nil marks none.
type entryMarks []bool

func (m entryMarks) isMarked(p Pos) bool { return int(p) < len(m) && m[p] }

// markAgentEntries marks what agents did: the entries of their lines and all that hangs
// below, except sessions that go on from there. It is nil where there is no agent.
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

// AgentCount counts the agents whose work is in the tree.
func (t *Tree) AgentCount() int { return t.computeStats().agents }
