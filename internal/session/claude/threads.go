package claude

import (
	"cmp"
	"slices"
	"strings"
)

// thread is the main part of a session, a branch of it, or an agent.
type thread struct {
	name   string
	parent string // name of the parent thread, "" for a root
	at     int32  // the entry that it is attached to, or noNode
	branch bool
	nodes  []int32

	segments []int // its segments, in order
}

// threader assigns every node of a graph to exactly one thread, or folds it under its recorded
// parent.
type threader struct {
	graph    *graph
	threads  []thread           // in order of discovery
	foldedBy []rungID           // by node: the rung that folded it, 0 if it is in a thread
	parents  []int32            // by node, its arranged parent
	ringCuts []int32            // first entries of threads that were their own ancestors
	decided  map[int32]decision // by fork

	threadOf    []int32        // by node: its thread, noNode if it is folded
	threadIndex map[string]int // index in threads, by name
	segments    []segment
	segmentOf   []int32  // by node in a thread: its segment + 1
	inlinedBy   []rungID // by node that was inlined at a fork: the rung that inlined it
	visited     []bool
	stats       subtreeStats

	branchNames     map[string]bool // names of branches in use
	compactionHeads map[int32]bool  // entries that compactions continue
}

// forkDecision is one decision of the ladder.
type forkDecision struct {
	at   int32
	rung rungID
	set  bool // rung 1 removed structural children
	left int  // number of children after rung 1
}

// segment is a contiguous part of a thread.
type segment struct {
	name  string
	nodes []int32
}

// newThreader builds the threads of all sessions of a graph.
func newThreader(g *graph) *threader {
	n := len(g.nodes)
	ts := &threader{graph: g, foldedBy: make([]rungID, n), decided: map[int32]decision{}, threadOf: make([]int32, n), threadIndex: map[string]int{},
		segmentOf: make([]int32, n), inlinedBy: make([]rungID, n), visited: make([]bool, n), stats: g.measureSubtrees(), branchNames: map[string]bool{}, compactionHeads: map[int32]bool{}}
	for i := range ts.threadOf {
		ts.threadOf[i] = noNode
	}
	for _, members := range g.groupBySession() {
		ts.threadSession(members)
	}
	for i := range ts.segments {
		ts.joinSegment(i)
	}
	for k := range ts.threads {
		ts.concatSegments(k)
	}
	ts.attachThreads()
	ts.arrangeParents()
	return ts
}

// groupBySession groups nodes by their session, in order of appearance.
func (g *graph) groupBySession() [][]int32 {
	groups := make([][]int32, len(g.owners))
	for i, k := range g.owner {
		groups[k] = append(groups[k], int32(i))
	}
	return groups
}

// joinSegment adds a segment to the thread that it names.
func (ts *threader) joinSegment(i int) (k int) {
	name := ts.segments[i].name
	k, ok := ts.threadIndex[name]
	if !ok {
		k = len(ts.threads)
		ts.threadIndex[name] = k
		ts.threads = append(ts.threads, thread{name: name, at: noNode, branch: strings.Contains(name, "@")})
	}
	ts.threads[k].segments = append(ts.threads[k].segments, i)
	return k
}

// concatSegments concatenates the segments of a thread by the time of their first entry.
func (ts *threader) concatSegments(k int) {
	t := &ts.threads[k]
	first := func(i int) string { return ts.graph.nodes[ts.segments[i].nodes[0]].stamp }
	slices.SortStableFunc(t.segments, func(x, y int) int { return cmp.Compare(first(x), first(y)) })
	t.nodes = t.nodes[:0]
	for _, i := range t.segments {
		t.nodes = append(t.nodes, ts.segments[i].nodes...)
	}
	for _, p := range t.nodes {
		ts.threadOf[p] = int32(k)
	}
}

// attachThreads attaches every thread to the recorded parent of its first entry, even if that is
// folded. The parent thread is then that of the nearest ancestor in a thread.
func (ts *threader) attachThreads() {
	for i := range ts.threads {
		l := &ts.threads[i]
		l.at, l.parent = ts.graph.parent[l.nodes[0]], ""
		for p := l.at; p != noNode; p = ts.graph.parent[p] {
			if k := ts.threadOf[p]; k != noNode && k != int32(i) {
				l.parent = ts.threads[k].name
				break
			}
		}
		if l.parent == "" {
			l.at = noNode
		}
	}
}

// arrangeParents computes the arranged parent of every node: the previous entry of its thread, the
// entry that the thread is attached to or, if folded, the recorded parent. Threads joined from
// several roots may form a ring across sessions; it is cut at the thread that begins first.
func (ts *threader) arrangeParents() {
	up := slices.Clone(ts.graph.parent)
	for i := range ts.threads {
		l := &ts.threads[i]
		up[l.nodes[0]] = l.at
		for k := 1; k < len(l.nodes); k++ {
			up[l.nodes[k]] = l.nodes[k-1]
		}
	}
	breakEachCycle(up, func(at int32) {
		first := noNode
		for p := at; ; {
			if k := ts.threadOf[p]; k != noNode && ts.threads[k].nodes[0] == p && (first == noNode || ts.graph.nodes[p].stamp < ts.graph.nodes[first].stamp) {
				first = p
			}
			if p = up[p]; p == at {
				break
			}
		}
		up[first] = noNode
		ts.ringCuts = append(ts.ringCuts, first)
	})
	ts.parents = up
}

// breakEachCycle calls cut with one entry of every cycle of parents. cut must break the cycle. Each
// entry is visited once.
func breakEachCycle(up []int32, cut func(at int32)) {
	const proven = int32(-1)
	met := make([]int32, len(up)) // 0 = not visited, proven, or the number of the visiting walk
	for i := range up {
		walk, at := int32(i)+1, int32(i)
		for at != noNode && met[at] == 0 {
			met[at] = walk
			at = up[at]
		}
		cycle := at != noNode && met[at] == walk
		for p := int32(i); p != noNode && met[p] == walk; p = up[p] {
			met[p] = proven
		}
		if cycle {
			cut(at)
		}
	}
}
