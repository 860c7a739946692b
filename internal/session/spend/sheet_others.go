package spend

import (
	"math"

	"sessiontree/internal/session"
)

// addTotals remembers running totals of the session's own file.
func (s *Sheet) addTotals(p session.Pos, c *session.Charge) {
	e := s.tree.At(p)
	if e.Span.File != 0 {
		return
	}
	t, at := totals{time: e.SortTime}, s.summary
	for i := range c.Totals {
		t.models = append(t.models, Request{Model: c.Totals[i].Model, Usage: c.Totals[i].Usage})
	}
	if at == session.NoPos {
		at = p
	}
	s.totals, s.totalsAt, s.summary = append(s.totals, t), append(s.totalsAt, at), session.NoPos
}

// countOthers counts the requests that only running totals include.
func (s *Sheet) countOthers() {
	for p, sums := range s.others {
		sums.scale(-1)
		s.addSums(p, sums)
	}
	s.others = map[session.Pos]*Sums{}
	answers := make([]Request, 0, len(s.requests))
	for _, q := range s.requests {
		if !q.isForeign {
			answers = append(answers, q.Request)
		}
	}
	for _, other := range otherRequests(s.totals, answers, s.isFork || s.beginsForeign(answers)) {
		p := s.totalsAt[other.totals]
		if s.others[p] == nil {
			s.others[p] = &Sums{}
		}
		s.others[p].AddRequest(&other.Request, s.table)
	}
	for p, sums := range s.others {
		s.addSums(p, sums)
	}
}

// beginsForeign reports whether the tree begins with requests of another session: the session
// is a fork whose copies are shown as the entries of the original.
func (s *Sheet) beginsForeign(answers []Request) bool {
	first := int64(math.MaxInt64)
	for i := range answers {
		if at := answers[i].Time; at != session.NoTime {
			first = min(first, at)
		}
	}
	for _, q := range s.requests {
		if q.isForeign && q.Time != session.NoTime && q.Time < first {
			return true
		}
	}
	return false
}

// AllOthers returns all requests without a line.
func (s *Sheet) AllOthers() *Sums {
	var all Sums
	for _, sums := range s.others {
		all.Add(sums)
	}
	return &all
}

// AwaitsTotals reports whether the entry at p is a compaction whose requests the next running
// totals may still include.
func (s *Sheet) AwaitsTotals(p session.Pos) bool { return p == s.summary && len(s.totals) > 0 }
