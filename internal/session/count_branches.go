package session

// BranchCount returns the number of branches off the trunks, plus the further roots.
// It does not count agents, see AgentCount.
func (t *Tree) BranchCount() int {
	if known := t.branchCount.Load(); known != nil {
		return *known
	}
	n := t.countForkBranches()
	t.branchCount.Store(&n)
	return n
}

func (t *Tree) countForkBranches() int {
	f, n := t.Subtrees(), 0
	leafy, ofAgent := t.LeafPath(), t.markAgentEntries()
	count := func(group []Pos) {
		own := 1 // one branch of the group continues the lane
		for _, k := range group {
			if f.conversational[k] && !t.IsArchived(k) && !ofAgent.Has(k) {
				n++
			} else if leafy.Has(k) {
				own = 0
			}
		}
		n -= own
	}
	for _, fan := range t.childIndex.forks {
		before := n
		count(fan)
		n = max(n, before)
	}
	if len(t.roots) > 1 {
		before := n
		count(t.roots)
		n = max(n, before)
	}
	return n
}
