package spend

import (
	"sync"

	"sessiontree/internal/session"
	"sessiontree/internal/session/prices"
)

// TreeSpend is what the requests of a tree cost.
type TreeSpend struct {
	Sums Sums
	Left float64 // of Sums.Cost, on branches that were left
	Path float64 // of Sums.Cost, on the path to the viewed leaf and in sub-agents started there
}

// Owns reports whether the request with a key belongs to the session of a tree. nil: all do.
type Owns func(key uint64) bool

// OfTree returns what the requests of a tree cost. While the tree grows at its leaf, it
// counts only what is new. The caller holds the lock of the tree.
func OfTree(t *session.Tree, table *prices.Table, owns Owns, viewed session.Pos) TreeSpend {
	shared, _ := t.Attachment().Load().(*sharedSheet)
	if shared == nil {
		shared = &sharedSheet{}
		if !t.Attachment().CompareAndSwap(nil, shared) {
			shared = t.Attachment().Load().(*sharedSheet)
		}
	}
	shared.mu.Lock()
	defer shared.mu.Unlock()
	known := &shared.sheet
	known.update(t, table, owns)
	left := max(known.left, 0) // rounding errors
	spent := TreeSpend{Sums: known.sums, Left: left, Path: known.sums.Cost - left}
	if viewed != t.Leaf() {
		spent.Path = known.pathCost(t, viewed)
	}
	return spent
}

// sharedSheet is the attachment of a tree, which several readers may use at a time.
type sharedSheet struct {
	mu    sync.Mutex
	sheet sheet
}

// sheet is what the entries of a tree cost. Each request belongs to the first entry that
// records it.
type sheet struct {
	table    *prices.Table
	shape    int
	last     *session.Entry // the last entry that was counted
	leaf     session.Pos
	filtered bool // by Owns
	branches *Branches
	costs    []float64              // by position
	owner    map[uint64]session.Pos // the entry that a request belongs to
	best     map[uint64]*Request    // the most complete record of a request
	totals   []totals
	isFork   bool
	other    Sums // of Sums, requests that only the totals include
	sums     Sums
	left     float64
}

// update counts the entries that the tree has more. It starts again after other changes.
func (s *sheet) update(t *session.Tree, table *prices.Table, owns Owns) {
	n := len(s.costs)
	grown := s.table == table && !s.filtered && owns == nil && s.shape == t.ShapeVersion() && n > 0 && n <= t.Len() && t.At(session.Pos(n-1)) == s.last
	if grown && s.leaf != t.Leaf() {
		grown = s.leaf != session.NoPos && t.Leaf() != session.NoPos && t.LeafPath().Has(s.leaf)
	}
	if !grown || !s.count(t, owns) {
		*s = sheet{table: table, shape: t.ShapeVersion(), filtered: owns != nil, branches: &Branches{}, owner: map[uint64]session.Pos{}, best: map[uint64]*Request{}}
		s.count(t, owns)
	}
	s.leaf = t.Leaf()
	if t.Len() > 0 {
		s.last = t.At(session.Pos(t.Len() - 1))
	}
}

// count counts the entries that are not counted yet. It reports false if they begin a branch.
func (s *sheet) count(t *session.Tree, owns Owns) bool {
	first := session.Pos(len(s.costs))
	onPath := session.Marks(nil)
	if first < session.Pos(t.Len()) {
		onPath = t.LeafPath()
	}
	if !s.branches.extend(t, t.Leaf(), onPath) {
		return false
	}
	totals := len(s.totals)
	for p := first; p < session.Pos(t.Len()); p++ {
		s.costs = append(s.costs, 0)
		s.addEntry(t, p, owns)
	}
	if len(s.totals) > totals {
		s.countOthers()
	}
	return true
}

// addEntry counts the entry at p.
func (s *sheet) addEntry(t *session.Tree, p session.Pos, owns Owns) {
	e := t.At(p)
	c := e.Charge()
	switch {
	case c != nil && c.Totals != nil:
		s.addTotals(e, c)
		return
	case c != nil && (owns == nil || owns(c.Key)):
		s.addRequest(p, &Request{Key: c.Key, Time: e.Time, Model: c.Model, Usage: c.Usage, HasCost: c.HasCost, Copied: c.Copied})
	case c != nil:
		return
	}
	up := t.Parent(p)
	var waited int64
	if up != session.NoPos && e.Time != session.NoTime && t.At(up).Time != session.NoTime {
		waited = max(e.Time-t.At(up).Time, 0)
	}
	switch e.Kind {
	case session.KindAssistant:
		s.sums.ModelWait += waited
	case session.KindToolResult:
		s.sums.ToolWait += waited
		s.sums.AddToolUse(e.HasFlag(session.FlagError))
	}
}

// addRequest counts a record of a request.
func (s *sheet) addRequest(p session.Pos, q *Request) {
	s.isFork = s.isFork || q.Copied
	at, known := s.owner[q.Key]
	if !known {
		s.owner[q.Key], s.best[q.Key] = p, q
		s.addCost(p, q, 1)
		return
	}
	merged := *s.best[q.Key]
	merged.mergeCopy(q)
	s.addCost(at, s.best[q.Key], -1)
	s.best[q.Key] = &merged
	s.addCost(at, &merged, 1)
}

// addCost adds a request to the sums, or removes it if sign is -1.
func (s *sheet) addCost(p session.Pos, q *Request, sign int64) {
	one := Sums{}
	one.AddRequest(q, s.table)
	one.scale(sign)
	s.sums.Add(&one)
	s.costs[p] += one.Cost
	if s.branches.Head(p) != session.NoPos {
		s.left += one.Cost
	}
}

// addTotals remembers running totals of the session's own file.
func (s *sheet) addTotals(e *session.Entry, c *session.Charge) {
	if e.Span.File != 0 {
		return
	}
	t := totals{time: e.SortTime}
	for i := range c.Totals {
		t.models = append(t.models, Request{Model: c.Totals[i].Model, Usage: c.Totals[i].Usage})
	}
	s.totals = append(s.totals, t)
}

// countOthers counts the requests that only running totals include.
func (s *sheet) countOthers() {
	s.other.scale(-1)
	s.sums.Add(&s.other)
	s.other = Sums{}
	answers := make([]Request, 0, len(s.best))
	for _, q := range s.best {
		answers = append(answers, *q)
	}
	others := otherRequests(s.totals, answers, s.isFork)
	for i := range others {
		s.other.AddRequest(&others[i], s.table)
	}
	s.sums.Add(&s.other)
}

// pathCost returns what the path to a leaf cost, with the sub-agents that were started there.
func (s *sheet) pathCost(t *session.Tree, leaf session.Pos) (sum float64) {
	b := FindBranches(t, leaf)
	for p, cost := range s.costs {
		if cost != 0 && b.heads[p] == session.NoPos {
			sum += cost
		}
	}
	return sum
}
