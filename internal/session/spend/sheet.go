package spend

import (
	"slices"
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

// ReadSheet returns what the entries of a tree cost. While the tree grows at its leaf, it
// counts only what is new. The caller holds the lock of the tree.
func ReadSheet(t *session.Tree, table *prices.Table, own Ownership) *Sheet {
	shared, _ := t.Attachment().Load().(*sharedSheet)
	if shared == nil {
		shared = &sharedSheet{}
		if !t.Attachment().CompareAndSwap(nil, shared) {
			shared = t.Attachment().Load().(*sharedSheet)
		}
	}
	shared.mu.Lock()
	defer shared.mu.Unlock()
	own = own.ofTree(t)
	if known := shared.sheet; known != nil && known.isFor(table, own) && known.extend(own) {
		return known
	}
	shared.sheet = newSheet(t, table, own)
	shared.sheet.extend(own)
	return shared.sheet
}

// sharedSheet is the attachment of a tree, which several readers may use at a time.
type sharedSheet struct {
	mu    sync.Mutex
	sheet *Sheet
}

// Sheet is what the entries of a tree cost. Each request belongs to the first entry that
// records it. It is valid while the tree is locked, and changes only after the tree grew.
type Sheet struct {
	tree     *session.Tree
	table    *prices.Table
	scope    uint64 // of the Ownership
	shape    int
	last     *session.Entry // the last entry that was counted
	leaf     session.Pos
	agents   bool // there are entries of sub-agents
	branches *Branches
	costs    []float64                // by position
	requests map[uint64]*sheetRequest // by key
	totals   []totals
	totalsAt []session.Pos // the entries to which the other requests of totals belong
	summary  session.Pos   // the first compaction since the last totals, or NoPos
	isFork   bool
	others   map[session.Pos]*Sums // requests that only the totals include, by entry
	sums     Sums
	left     float64
}

// sheetRequest is a request of a tree: its most complete record, and the entry it belongs to.
type sheetRequest struct {
	Request
	at        session.Pos
	isForeign bool // it belongs to another session and is not counted
}

func newSheet(t *session.Tree, table *prices.Table, own Ownership) *Sheet {
	return &Sheet{
		tree: t, table: table, scope: own.scope, shape: t.ShapeVersion(), leaf: t.Leaf(), agents: hasAgents(t), branches: &Branches{},
		requests: map[uint64]*sheetRequest{}, summary: session.NoPos,
	}
}

func hasAgents(t *session.Tree) bool { return t.Subtrees().AgentCount() > 0 }

// isFor reports whether s can be extended to the tree as it is now.
func (s *Sheet) isFor(table *prices.Table, own Ownership) bool {
	t, n := s.tree, len(s.costs)
	if s.table != table || s.scope != own.scope || s.shape != t.ShapeVersion() || s.agents != hasAgents(t) || n > t.Len() || n > 0 && t.At(session.Pos(n-1)) != s.last {
		return false
	}
	return s.leaf == t.Leaf() || s.leaf != session.NoPos && t.Leaf() != session.NoPos && t.LeafPath().Has(s.leaf)
}

// extend counts the entries that are not counted yet. It reports false if they begin a branch
// although s had entries before.
func (s *Sheet) extend(own Ownership) bool {
	t := s.tree
	first := session.Pos(len(s.costs))
	onPath := session.Marks(nil)
	if first < session.Pos(t.Len()) {
		onPath = t.LeafPath()
		s.costs = slices.Grow(s.costs, t.Len()-len(s.costs)) // others may read a sheet that has all
	}
	if !s.branches.extend(t, t.Leaf(), onPath) {
		return false
	}
	totals := len(s.totals)
	for p := first; p < session.Pos(t.Len()); p++ {
		s.costs = append(s.costs, 0)
		s.addEntry(p, own)
	}
	if len(s.totals) > totals {
		s.countOthers()
	}
	s.leaf = t.Leaf()
	if t.Len() > 0 {
		s.last = t.At(session.Pos(t.Len() - 1))
	}
	return true
}

// addEntry counts the entry at p.
func (s *Sheet) addEntry(p session.Pos, own Ownership) {
	e := s.tree.At(p)
	if e.Kind == session.KindCompaction && e.Span.File == 0 && s.summary == session.NoPos {
		s.summary = p
	}
	c := e.Charge()
	if c != nil && c.Totals != nil {
		s.addTotals(p, c)
		return
	}
	waited := waitBefore(s.tree, p)
	if c != nil {
		s.addRequest(p, waited, own)
	}
	if s.isForeign(p, own) {
		return
	}
	switch e.Kind {
	case session.KindAssistant:
		s.sums.ModelWait += waited
	case session.KindToolResult:
		s.sums.ToolWait += waited
	default:
		return // a command of the user is no use of a tool
	}
	for _, failed := range e.FinishedCalls() {
		s.sums.AddToolUse(failed)
	}
}

// isForeign reports whether the entry at p is an answer or a tool result of a request that
// belongs to another session.
func (s *Sheet) isForeign(p session.Pos, own Ownership) bool {
	if own.owns == nil {
		return false
	}
	if s.tree.At(p).Kind == session.KindToolResult {
		if _, p = s.tree.CallOf(p); p == session.NoPos {
			return false
		}
	}
	q, ok := newRequest(s.tree.At(p))
	return ok && !own.has(q.Key)
}

// addRequest counts the request that the entry at p records.
func (s *Sheet) addRequest(p session.Pos, waited int64, own Ownership) {
	recorded, _ := newRequest(s.tree.At(p))
	q := &sheetRequest{Request: recorded, at: p}
	q.ModelWait = waited
	if q.Delegated && s.agents { // the entries of the agents have the tokens
		q.Usage = session.Usage{Cost: q.Cost}
	}
	s.isFork = s.isFork || q.Copied
	before := s.requests[q.Key]
	if before == nil {
		q.isForeign = !own.has(q.Key)
		s.requests[q.Key] = q
		if !q.isForeign {
			s.addCost(p, &q.Request, 1)
		}
		return
	}
	merged := *before
	merged.mergeCopy(&q.Request)
	if before.Time != session.NoTime && q.Time != session.NoTime {
		merged.ModelWait = max(before.ModelWait, q.Time-before.Time+waitBefore(s.tree, before.at))
	}
	s.requests[q.Key] = &merged
	if !before.isForeign {
		s.addCost(before.at, &before.Request, -1)
		s.addCost(before.at, &merged.Request, 1)
	}
}

// addCost adds a request to the sums, or removes it if sign is -1. The sums have the waiting
// times of all entries already.
func (s *Sheet) addCost(p session.Pos, q *Request, sign int64) {
	one := Sums{}
	one.AddRequest(q, s.table)
	one.ModelWait = 0
	one.scale(sign)
	s.addSums(p, &one)
}

// addSums adds sums to those of the entry at p.
func (s *Sheet) addSums(p session.Pos, one *Sums) {
	s.sums.Add(one)
	s.costs[p] += one.Cost
	if s.branches.Head(p) != session.NoPos {
		s.left += one.Cost
	}
}
