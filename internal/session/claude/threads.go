package claude

import (
	"cmp"
	"slices"
	"strings"
)

// thread is one DAG-line: the trunk of a session, a branch in it, or an agent.
type thread struct {
	name   string
	parent string // name of the line it hangs on, "" for a root
	at     int32  // the entry it hangs on, or none
	branch bool
	nodes  []int32

	segments []int // that it is joined of, in order
}

// threadGraph is what became of a graph: every node stands on exactly one line
// or is folded under its recorded parent.
type threadGraph struct {
	*graph
	threads     []thread // in order of discovery
	threadOf    []int32
	foldedBy    []rungID       // folded nodes: the rung that folded them; 0 = on a line
	threadIndex map[string]int // tracks by name
	ringCuts    []int32        // entries whose line hung on one below it
}

// forkDecision is one decision of the ladder.
type forkDecision struct {
	at   int32
	rung rungID
	set  bool // rung 1 set structural children aside before
	left int  // children that remained after rung 1
}

// segment is a stretch of a line; a line may have several.
type segment struct {
	name  string
	nodes []int32
}

// arrangeGraph builds the lines of all sessions.
func arrangeGraph(g *graph) *threadGraph {
	a, _ := threadNodes(g)
	return a
}

// threadNodes is arrange, and what is needed to go on from there.
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

// groupBySession groups nodes by the session that owns them, in order of appearance.
func (g *graph) groupBySession() [][]int32 {
	groups := make([][]int32, len(g.owners))
	for i, k := range g.owner {
		groups[k] = append(groups[k], int32(i))
	}
	return groups
}

// joinSegment makes a segment part of the line that it names.
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

// concatSegments lays the segments of a line one after the other, by the time of their
// first entry.
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

// attachThreads hangs every line on the entry that its first entry names as parent. A
// parent that is folded stays the attachment; the line's parent is then the one
// of the nearest entry above that is on a line.
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

// arrangedParents answers the arranged parent of every node: the one before it on its
// line, the line's attachment, or for what is folded the recorded one. Lines of
// several sessions may hang on one another in a ring, because a line is joined of
// what several roots gave; the ring is cut where the earliest of them begins.
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

// breakEachCycle calls cut with an entry of every chain of parents that leads back to
// itself; cut must end that. What was proven to end is not walked twice.
func breakEachCycle(up []int32, cut func(at int32)) {
	const proven = int32(-1)
	met := make([]int32, len(up)) // 0 = not met, proven, or the walk that met it
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
