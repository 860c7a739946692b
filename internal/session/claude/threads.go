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

// threadGraph is a graph with its threads. Every node is in exactly one thread or is folded under
// its recorded parent.
type threadGraph struct {
	*graph
	threads     []thread // in order of discovery
	threadOf    []int32
	foldedBy    []rungID       // the rung that folded a node, 0 for nodes in a thread
	threadIndex map[string]int // index in threads, by name
	ringCuts    []int32        // first entries of threads that were their own ancestors
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

// arrangeGraph builds the threads of all sessions.
func arrangeGraph(g *graph) *threadGraph {
	a, _ := threadNodes(g)
	return a
}

// threadNodes is arrangeGraph, and also returns the threader that can extend the result.
func threadNodes(g *graph) (*threadGraph, *threader) {
	a := &threadGraph{graph: g, threadOf: make([]int32, len(g.nodes)), foldedBy: make([]rungID, len(g.nodes)), threadIndex: map[string]int{}}
	for i := range a.threadOf {
		a.threadOf[i] = noNode
	}
	w := newThreader(a)
	for _, members := range g.groupBySession() {
		w.threadSession(members)
	}
	for i := range w.segments {
		a.joinSegment(w.segments, i)
	}
	for k := range a.threads {
		a.concatSegments(w.segments, k)
	}
	a.attachThreads()
	return a, w
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
func (a *threadGraph) joinSegment(segments []segment, i int) (k int) {
	name := segments[i].name
	k, ok := a.threadIndex[name]
	if !ok {
		k = len(a.threads)
		a.threadIndex[name] = k
		a.threads = append(a.threads, thread{name: name, at: noNode, branch: strings.Contains(name, "@")})
	}
	a.threads[k].segments = append(a.threads[k].segments, i)
	return k
}

// concatSegments concatenates the segments of a thread by the time of their first entry.
func (a *threadGraph) concatSegments(segments []segment, k int) {
	t := &a.threads[k]
	first := func(i int) string { return a.nodes[segments[i].nodes[0]].stamp }
	slices.SortStableFunc(t.segments, func(x, y int) int { return cmp.Compare(first(x), first(y)) })
	t.nodes = t.nodes[:0]
	for _, i := range t.segments {
		t.nodes = append(t.nodes, segments[i].nodes...)
	}
	for _, p := range t.nodes {
		a.threadOf[p] = int32(k)
	}
}

// attachThreads attaches every thread to the recorded parent of its first entry, even if that is
// folded. The parent thread is then that of the nearest ancestor in a thread.
func (a *threadGraph) attachThreads() {
	for i := range a.threads {
		l := &a.threads[i]
		l.at, l.parent = a.parent[l.nodes[0]], ""
		for p := l.at; p != noNode; p = a.parent[p] {
			if k := a.threadOf[p]; k != noNode && k != int32(i) {
				l.parent = a.threads[k].name
				break
			}
		}
		if l.parent == "" {
			l.at = noNode
		}
	}
}

// arrangedParents returns the arranged parent of every node: the previous entry of its thread, the
// entry that the thread is attached to or, if folded, the recorded parent. Threads joined from
// several roots may form a ring across sessions; it is cut at the thread that begins first.
func (a *threadGraph) arrangedParents() []int32 {
	up := slices.Clone(a.parent)
	for i := range a.threads {
		l := &a.threads[i]
		up[l.nodes[0]] = l.at
		for k := 1; k < len(l.nodes); k++ {
			up[l.nodes[k]] = l.nodes[k-1]
		}
	}
	breakEachCycle(up, func(at int32) {
		first := noNode
		for p := at; ; {
			if k := a.threadOf[p]; k != noNode && a.threads[k].nodes[0] == p && (first == noNode || a.nodes[p].stamp < a.nodes[first].stamp) {
				first = p
			}
			if p = up[p]; p == at {
				break
			}
		}
		up[first] = noNode
		a.ringCuts = append(a.ringCuts, first)
	})
	return up
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
