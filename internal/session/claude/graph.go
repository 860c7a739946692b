package claude

import (
	"cmp"
	"slices"
)

// nodeClass is the kind of an entry as far as the ladder distinguishes it.
type nodeClass uint8

const (
	classUser       nodeClass = iota
	classAssistant            // one block of an answer
	classSystem               // a line about the agent itself
	classStructural           // an attachment, progress, or any other type
)

func (c nodeClass) isMessage() bool { return c == classUser || c == classAssistant }

// node is one line of a transcript that has a uuid.
type node struct {
	id          string
	parent      string // parentUuid, "" when null
	logical     string // compact_boundary: logicalParentUuid
	keptIDs     []string
	session     string            // with "#agent-<id>" in an agent's thread
	stamp       string            // as recorded: times are compared as strings
	agent       string            // agentId, or toolUseResult.agentId
	origin      string            // of a copied answer: the session of its request
	taskPrompts map[string]uint64 // hashes of the prompts of Task calls, by tool use id
	promptHash  uint64            // hash of the first prompt in an agent's file
	run         string            // the workflow run that a result names
	task        string            // the workflow's task that a result names
	calls       []string
	results     []string // ids of the calls whose results it holds
	class       nodeClass

	sidechain bool
	boundary  bool // system/compact_boundary
	spawns    bool // holds a Task or Agent call
}

const noNode = int32(-1)

// graph is the nodes of a file group, each uuid once, with the recorded edges. Missing parents and
// cycles are repaired.
type graph struct {
	nodes        []*node
	byID         map[string]int32
	parent       []int32
	children     [][]int32 // in index order
	owner        []int32   // by node, the number of its session
	owners       map[string]int32
	sessionStart map[string]string // the earliest time of each session

	orphans    []int32
	cycleRoots []int32        // roots because their parent was part of a cycle
	inputs     int            // number of nodes in the input
	inputIndex []int          // by node, its index in the input
	copies     []int          // indexes into the input that became no node
	hasCopy    map[int32]bool // nodes that have copies
}

// newGraph builds a graph of nodes in load order. An entry that several sessions record belongs to
// the session that began first.
func newGraph(in []*node) *graph {
	g := &graph{inputs: len(in), byID: make(map[string]int32, len(in)), owners: map[string]int32{}, sessionStart: map[string]string{}, hasCopy: map[int32]bool{}}
	began := g.sessionStart
	for i := range in {
		n := in[i]
		if first, ok := began[n.session]; !ok || n.stamp < first {
			began[n.session] = n.stamp
		}
	}
	for i := range in {
		at, seen := g.byID[in[i].id]
		switch {
		case !seen:
			g.byID[in[i].id] = int32(len(g.nodes))
			g.nodes = append(g.nodes, in[i])
			g.inputIndex = append(g.inputIndex, i)
		case g.ownsEntry(in[i], g.nodes[at]):
			g.hasCopy[at] = true
			g.copies = append(g.copies, g.inputIndex[at])
			g.nodes[at], g.inputIndex[at] = in[i], i
		default:
			g.hasCopy[at] = true
			g.copies = append(g.copies, i)
		}
	}
	g.owner = make([]int32, len(g.nodes))
	for i, n := range g.nodes {
		g.owner[i] = g.sessionNumber(n.session)
	}
	g.linkParents()
	g.breakCycles()
	g.children = childrenOf(g.parent)
	return g
}

// childrenOf returns the children of every node in index order. The lists share one array;
// appending to a list copies it.
func childrenOf(parent []int32) [][]int32 {
	first := make([]int32, len(parent)+1) // start of each node's list
	for _, p := range parent {
		if p != noNode {
			first[p+1]++
		}
	}
	for i := range parent {
		first[i+1] += first[i]
	}
	all, kids := make([]int32, first[len(parent)]), make([][]int32, len(parent))
	for i := range kids {
		kids[i] = all[first[i]:first[i]:first[i+1]]
	}
	for i, p := range parent {
		if p != noNode {
			kids[p] = append(kids[p], int32(i))
		}
	}
	return kids
}

// ownsEntry reports whether n is the original and known, the node with the same uuid, a copy. A
// copied answer names the session of its request; otherwise the session that began first owns the
// entry.
func (g *graph) ownsEntry(n, known *node) bool {
	switch {
	case known.origin != "" && known.origin == n.session:
		return true
	case n.origin != "" && n.origin == known.session:
		return false
	}
	return g.sessionStart[n.session] < g.sessionStart[known.session]
}

// sessionNumber returns the number of a session, counted by first appearance.
func (g *graph) sessionNumber(session string) int32 {
	n, ok := g.owners[session]
	if !ok {
		n = int32(len(g.owners))
		g.owners[session] = n
	}
	return n
}

// linkParents resolves parent ids. A node whose parent is unknown becomes a root.
func (g *graph) linkParents() {
	g.parent = make([]int32, len(g.nodes))
	for i := range g.nodes {
		g.parent[i] = noNode
		id := g.nodes[i].parent
		switch {
		case id == "":
		case i > 0 && g.nodes[i-1].id == id: // the common case
			g.parent[i] = int32(i) - 1
		default:
			if p, ok := g.byID[id]; ok {
				g.parent[i] = p
			} else {
				g.orphans = append(g.orphans, int32(i))
			}
		}
	}
}

// breakCycles makes the node at which each cycle was entered a root.
func (g *graph) breakCycles() {
	breakEachCycle(g.parent, func(at int32) {
		g.parent[at] = noNode
		g.cycleRoots = append(g.cycleRoots, at)
	})
}

// sortByStamp sorts nodes by recorded time. The sort is stable.
func (g *graph) sortByStamp(ps []int32) {
	slices.SortStableFunc(ps, func(a, b int32) int { return cmp.Compare(g.nodes[a].stamp, g.nodes[b].stamp) })
}

// subtreeStats describes the part of each node's subtree that is of the same session.
type subtreeStats struct {
	hasMessageBelow []bool  // a descendant is a user or assistant entry
	heightBelow     []int32 // length of the longest chain below, limited to what the ladder checks
}

// measureSubtrees computes the statistics of all nodes, children before parents.
func (g *graph) measureSubtrees() subtreeStats {
	b := subtreeStats{make([]bool, len(g.nodes)), make([]int32, len(g.nodes))}
	waiting := make([]int32, len(g.nodes))
	var ready []int32
	for i := range g.nodes {
		for _, k := range g.children[i] {
			if g.sameSession(k, int32(i)) {
				waiting[i]++
			}
		}
		if waiting[i] == 0 {
			ready = append(ready, int32(i))
		}
	}
	for len(ready) > 0 {
		at := ready[len(ready)-1]
		ready = ready[:len(ready)-1]
		up := g.parent[at]
		if up == noNode || !g.sameSession(at, up) {
			continue
		}
		b.hasMessageBelow[up] = b.hasMessageBelow[up] || b.hasMessageBelow[at] || g.nodes[at].class.isMessage()
		b.heightBelow[up] = max(b.heightBelow[up], min(b.heightBelow[at], maxLadderDepth)+1)
		if waiting[up]--; waiting[up] == 0 {
			ready = append(ready, up)
		}
	}
	return b
}

func (g *graph) sameSession(a, b int32) bool { return g.owner[a] == g.owner[b] }
