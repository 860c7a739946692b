package spend

import "sessiontree/internal/session"

// EntrySpend is what an entry adds to the spend of its session.
type EntrySpend struct {
	Cost     float64 // dollars
	Tokens   int64
	Output   int64 // of Tokens, what models wrote
	Unpriced int64 // requests without a price
}

// Add adds what another entry adds.
func (e *EntrySpend) Add(o EntrySpend) {
	e.Cost, e.Tokens, e.Output, e.Unpriced = e.Cost+o.Cost, e.Tokens+o.Tokens, e.Output+o.Output, e.Unpriced+o.Unpriced
}

// Total returns what all entries cost. Path is the path to the leaf of the tree.
func (s *Sheet) Total() TreeSpend {
	left := max(s.left, 0) // rounding errors
	return TreeSpend{Sums: s.sums, Left: left, Path: s.sums.Cost - left}
}

// Entry returns what the entry at p adds.
func (s *Sheet) Entry(p session.Pos) EntrySpend {
	spent := EntrySpend{Cost: s.costs[p]}
	if q := s.Request(p); q != nil && !s.IsForeign(q) {
		spent.Tokens, spent.Output = q.Usage.Tokens(), q.Usage.Output
		if _, ok := q.Price(s.table); !ok {
			spent.Unpriced++
		}
	}
	if other := s.others[p]; other != nil {
		spent.Add(EntrySpend{Tokens: other.Tokens(), Output: other.Output, Unpriced: other.Unpriced})
	}
	return spent
}

// Waited returns how long the model took for the answer at p, or the tool for the result, in ms.
// It is 0 for other entries.
func (s *Sheet) Waited(p session.Pos) int64 { return waitBefore(s.tree, p) }

// Request returns the request that belongs to the entry at p, nil if there is none. It must
// not be changed.
func (s *Sheet) Request(p session.Pos) *Request {
	c := s.tree.At(p).Charge()
	if c == nil || c.Totals != nil {
		return nil
	}
	if q := s.requests[c.Key]; q.at == p {
		return &q.Request
	}
	return nil
}

// Owner returns the entry that the request at p belongs to, or NoPos.
func (s *Sheet) Owner(p session.Pos) session.Pos {
	c := s.tree.At(p).Charge()
	if c == nil || c.Totals != nil {
		return session.NoPos
	}
	return s.requests[c.Key].at
}

// IsForeign reports whether a request of the tree belongs to another session.
func (s *Sheet) IsForeign(q *Request) bool { return s.requests[q.Key].isForeign }

// Price returns the price of a request.
func (s *Sheet) Price(q *Request) (dollars float64, ok bool) { return q.Price(s.table) }

// Others returns the requests without a line that belong to the entry at p, nil if there are
// none. It must not be changed.
func (s *Sheet) Others(p session.Pos) *Sums { return s.others[p] }

// PathCosts returns, by position, what the path to each entry costs with the sub-agents that
// were started there.
func (s *Sheet) PathCosts() []float64 {
	t := s.tree
	below := append([]float64(nil), s.costs...) // of subtrees
	order := t.Preorder(session.NoPos)
	isSide := func(p session.Pos) bool { return t.At(p).HasFlag(session.FlagAgent) || !t.Subtrees().IsConversation(p) }
	beside := make([]float64, len(s.costs)) // of the subtrees of agents and bookkeeping directly below an entry
	for i := len(order) - 1; i >= 0; i-- {
		if up := t.Parent(order[i]); up != session.NoPos {
			below[up] += below[order[i]]
			if isSide(order[i]) {
				beside[up] += below[order[i]]
			}
		}
	}
	roots := 0.0
	for _, p := range t.Roots() {
		if isSide(p) {
			roots += below[p]
		}
	}
	paths := make([]float64, len(s.costs))
	for _, p := range order {
		above := roots
		if up := t.Parent(p); up != session.NoPos {
			above = paths[up]
		}
		if paths[p] = above + s.costs[p] + beside[p]; isSide(p) {
			paths[p] -= below[p]
		}
	}
	return paths
}

// PathCost returns what the path to a leaf costs with the sub-agents that were started there.
func (s *Sheet) PathCost(leaf session.Pos) (sum float64) {
	if leaf == session.NoPos {
		return 0
	}
	b := FindBranches(s.tree, leaf)
	for p, cost := range s.costs {
		if cost != 0 && b.heads[p] == session.NoPos {
			sum += cost
		}
	}
	return sum
}
