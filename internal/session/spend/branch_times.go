package spend

import (
	"cmp"
	"slices"
	"sort"

	"sessiontree/internal/session"
)

// branchTimes are the requests of a session's own file by time, to find the branch on which a
// sub-agent was started. The files of sub-agents need not be matched with their calls: an
// agent starts right after the answer that called it, and that is the last one so far.
type branchTimes []Request

func newBranchTimes(own []Request) branchTimes {
	if !slices.ContainsFunc(own, func(q Request) bool { return q.Branch > 0 }) {
		return nil // no branch was left
	}
	b := slices.DeleteFunc(slices.Clone(own), func(q Request) bool { return q.Time == session.NoTime })
	slices.SortStableFunc(b, func(x, y Request) int { return cmp.Compare(x.Time, y.Time) })
	return b
}

// setBranch sets the branch of the requests of a sub-agent's file.
func (b branchTimes) setBranch(agent []Request) {
	first := int64(session.NoTime)
	for i := range agent {
		if at := agent[i].Time; at != session.NoTime && (first == session.NoTime || at < first) {
			first = at
		}
	}
	if first == session.NoTime {
		return
	}
	n := sort.Search(len(b), func(i int) bool { return b[i].Time > first })
	if n == 0 {
		return
	}
	for i := range agent {
		agent[i].Branch = b[n-1].Branch
	}
}
