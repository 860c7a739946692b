package dag

import (
	"cmp"
	"slices"
	"strings"

	"sessiontree/internal/session"
)

// Thread is the main part of a session, a branch of it, or an agent.
type Thread struct {
	Name   string
	Parent string // name of the parent thread, "" for a root
	At     int32  // the entry that it is attached to, or NoNode
	Branch bool
	Nodes  []int32

	segments []int // its segments, in order
}

// Threads assigns every node of a graph to exactly one thread, or folds it under its recorded
// parent.
type Threads struct {
	Graph    *Graph
	List     []Thread           // in order of discovery
	FoldedBy []Rung             // by node: the rung that folded it, 0 if it is in a thread
	Parents  []int32            // by node, its arranged parent
	RingCuts []int32            // first entries of threads that were their own ancestors
	Decided  map[int32]Decision // by fork

	ThreadOf    []int32        // by node: its thread, NoNode if it is folded
	ThreadIndex map[string]int // index in threads, by name
	segments    []segment
	segmentOf   []int32 // by node in a thread: its segment + 1
	inlinedBy   []Rung  // by node that was inlined at a fork: the rung that inlined it
	visited     []bool
	stats       subtreeStats

	branchNames     map[string]bool // names of branches in use
	compactionHeads map[int32]bool  // entries that compactions continue
}

// segment is a contiguous part of a thread.
type segment struct {
	name  string
	nodes []int32
}

// NewThreads builds the threads of all sessions of a graph.
func NewThreads(g *Graph) *Threads {
	n := len(g.Nodes)
	ts := &Threads{Graph: g, FoldedBy: make([]Rung, n), Decided: map[int32]Decision{}, ThreadOf: make([]int32, n), ThreadIndex: map[string]int{},
		segmentOf: make([]int32, n), inlinedBy: make([]Rung, n), visited: make([]bool, n), stats: g.measureSubtrees(), branchNames: map[string]bool{}, compactionHeads: map[int32]bool{}}
	for i := range ts.ThreadOf {
		ts.ThreadOf[i] = NoNode
	}
	for _, members := range g.groupBySession() {
		ts.threadSession(members)
	}
	for i := range ts.segments {
		ts.joinSegment(i)
	}
	for k := range ts.List {
		ts.concatSegments(k)
	}
	ts.attachThreads()
	ts.arrangeParents()
	return ts
}

// groupBySession groups nodes by their session, in order of appearance.
func (g *Graph) groupBySession() [][]int32 {
	groups := make([][]int32, len(g.owners))
	for i, k := range g.owner {
		groups[k] = append(groups[k], int32(i))
	}
	return groups
}

// joinSegment adds a segment to the thread that it names.
func (ts *Threads) joinSegment(i int) (k int) {
	name := ts.segments[i].name
	k, ok := ts.ThreadIndex[name]
	if !ok {
		k = len(ts.List)
		ts.ThreadIndex[name] = k
		ts.List = append(ts.List, Thread{Name: name, At: NoNode, Branch: strings.Contains(name, "@")})
	}
	ts.List[k].segments = append(ts.List[k].segments, i)
	return k
}

// concatSegments concatenates the segments of a thread by the time of their first entry.
func (ts *Threads) concatSegments(k int) {
	t := &ts.List[k]
	first := func(i int) string { return ts.Graph.Nodes[ts.segments[i].nodes[0]].Stamp }
	slices.SortStableFunc(t.segments, func(x, y int) int { return cmp.Compare(first(x), first(y)) })
	t.Nodes = t.Nodes[:0]
	for _, i := range t.segments {
		t.Nodes = append(t.Nodes, ts.segments[i].nodes...)
	}
	for _, p := range t.Nodes {
		ts.ThreadOf[p] = int32(k)
	}
}

// attachThreads attaches every thread to the recorded parent of its first entry, even if that is
// folded. The parent thread is then that of the nearest ancestor in a thread.
func (ts *Threads) attachThreads() {
	for i := range ts.List {
		l := &ts.List[i]
		l.At, l.Parent = ts.Graph.Parent[l.Nodes[0]], ""
		for p := l.At; p != NoNode; p = ts.Graph.Parent[p] {
			if k := ts.ThreadOf[p]; k != NoNode && k != int32(i) {
				l.Parent = ts.List[k].Name
				break
			}
		}
		if l.Parent == "" {
			l.At = NoNode
		}
	}
}

// arrangeParents computes the arranged parent of every node: the previous entry of its thread, the
// entry that the thread is attached to or, if folded, the recorded parent. Threads joined from
// several roots may form a ring across sessions; it is cut at the thread that begins first.
func (ts *Threads) arrangeParents() {
	up := slices.Clone(ts.Graph.Parent)
	for i := range ts.List {
		l := &ts.List[i]
		up[l.Nodes[0]] = l.At
		for k := 1; k < len(l.Nodes); k++ {
			up[l.Nodes[k]] = l.Nodes[k-1]
		}
	}
	session.BreakCycles(up, 0, func(at int32) {
		first := NoNode
		for p := at; ; {
			if k := ts.ThreadOf[p]; k != NoNode && ts.List[k].Nodes[0] == p && (first == NoNode || ts.Graph.Nodes[p].Stamp < ts.Graph.Nodes[first].Stamp) {
				first = p
			}
			if p = up[p]; p == at {
				break
			}
		}
		up[first] = NoNode
		ts.RingCuts = append(ts.RingCuts, first)
	})
	ts.Parents = up
}
