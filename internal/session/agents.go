package session

// marks says of each position whether it is marked; nil marks none.
type marks []bool

func (m marks) at(p Pos) bool { return int(p) < len(m) && m[p] }

// ofAgents marks what agents did: the entries of their lines and all that hangs
// below, except sessions that go on from there. It is nil where there is no agent.
func (t *Tree) ofAgents() marks {
	if t.Agents() == 0 {
		return nil
	}
	m := make(marks, len(t.entries))
	for _, p := range t.preorder(NoPos) {
		up, e := t.parent[p], t.entries[p]
		m[p] = e.Has(FlagAgent) || up != NoPos && m[up] && !e.Has(FlagSession)
	}
	return m
}

// Agents counts the agents whose work is in the tree.
func (t *Tree) Agents() int { return t.subtrees().agents }
