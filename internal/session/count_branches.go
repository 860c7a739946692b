package session

// markArchivedEntries marks the entries of archived branches; it returns nil if there
// are none.
func (s *spine) markArchivedEntries() []bool {
	if len(s.archivedIDs) == 0 {
		return nil
	}
	gone := make([]bool, len(s.entries))
	for _, p := range s.preorder(NoPos) {
		up := s.parent[p]
		gone[p] = s.isHiddenSubtree(p) || up != NoPos && gone[up]
	}
	return gone
}

// countBranches returns the number of branches off the trunks, plus the further roots.
// It does not count agents, see AgentCount.
func (t *Tree) countBranches() int {
	if known := t.branchCount.Load(); known != nil {
		return *known
	}
	n := t.countForkBranches()
	t.branchCount.Store(&n)
	return n
}

func (t *Tree) countForkBranches() int {
	f, n := t.computeStats(), 0
	leafy, ofAgent := t.leafPath(), t.markAgentEntries()
	count := func(group []Pos) {
		own := 1 // one branch of the group continues the lane
		for _, k := range group {
			if f.conversational[k] && !t.isArchived(k) && !ofAgent.isMarked(k) {
				n++
			} else if leafy.isMarked(k) {
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
