package dag

import (
	"cmp"
	"slices"

	"sessiontree/internal/session"
)

// NoNode is the number of no node.
const NoNode = int32(-1)

// Graph is the nodes of a file group, each uuid once, with the recorded edges. Missing parents and
// cycles are repaired.
type Graph struct {
	Nodes    []*Node
	Parent   []int32   // by node, its recorded parent
	Children [][]int32 // by node, in index order

	byID         map[string]int32
	owner        []int32 // by node, the number of its session
	owners       map[string]int32
	SessionStart map[string]string // the earliest time of each session

	Orphans    []int32 // nodes with an unknown parent
	CycleRoots []int32 // roots because their parent was part of a cycle

	inputs     int            // number of nodes in the input
	InputIndex []int          // by node, its index in the input
	Copies     []int          // indexes into the input that became no node
	HasCopy    map[int32]bool // nodes that have copies
}

// NewGraph builds a graph of nodes in load order. An entry that several sessions record belongs to
// the session that began first.
func NewGraph(in []*Node) *Graph {
	g := &Graph{inputs: len(in), byID: make(map[string]int32, len(in)), owners: map[string]int32{}, SessionStart: map[string]string{}, HasCopy: map[int32]bool{}}
	began := g.SessionStart
	for i := range in {
		n := in[i]
		if first, ok := began[n.Session]; !ok || n.Stamp < first {
			began[n.Session] = n.Stamp
		}
	}
	for i := range in {
		at, seen := g.byID[in[i].ID]
		switch {
		case !seen:
			g.byID[in[i].ID] = int32(len(g.Nodes))
			g.Nodes = append(g.Nodes, in[i])
			g.InputIndex = append(g.InputIndex, i)
		case g.ownsEntry(in[i], g.Nodes[at]):
			g.HasCopy[at] = true
			g.Copies = append(g.Copies, g.InputIndex[at])
			g.Nodes[at], g.InputIndex[at] = in[i], i
		default:
			g.HasCopy[at] = true
			g.Copies = append(g.Copies, i)
		}
	}
	g.owner = make([]int32, len(g.Nodes))
	for i, n := range g.Nodes {
		g.owner[i] = g.sessionNumber(n.Session)
	}
	g.linkParents()
	g.breakCycles()
	g.Children = childrenOf(g.Parent)
	return g
}

// Find returns the node with an id.
func (g *Graph) Find(id string) (int32, bool) {
	n, ok := g.byID[id]
	return n, ok
}

// childrenOf returns the children of every node in index order. The lists share one array;
// appending to a list copies it.
func childrenOf(parent []int32) [][]int32 {
	first := make([]int32, len(parent)+1) // start of each node's list
	for _, p := range parent {
		if p != NoNode {
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
		if p != NoNode {
			kids[p] = append(kids[p], int32(i))
		}
	}
	return kids
}

// ownsEntry reports whether n is the original and known, the node with the same uuid, a copy. A
// copied answer names the session of its request; otherwise the session that began first owns the
// entry.
func (g *Graph) ownsEntry(n, known *Node) bool {
	switch {
	case known.Origin != "" && known.Origin == n.Session:
		return true
	case n.Origin != "" && n.Origin == known.Session:
		return false
	}
	return g.SessionStart[n.Session] < g.SessionStart[known.Session]
}

// sessionNumber returns the number of a session, counted by first appearance.
func (g *Graph) sessionNumber(session string) int32 {
	n, ok := g.owners[session]
	if !ok {
		n = int32(len(g.owners))
		g.owners[session] = n
	}
	return n
}

// linkParents resolves parent ids. A node whose parent is unknown becomes a root.
func (g *Graph) linkParents() {
	g.Parent = make([]int32, len(g.Nodes))
	for i := range g.Nodes {
		g.Parent[i] = NoNode
		id := g.Nodes[i].Parent
		switch {
		case id == "":
		case i > 0 && g.Nodes[i-1].ID == id: // the common case
			g.Parent[i] = int32(i) - 1
		default:
			if p, ok := g.byID[id]; ok {
				g.Parent[i] = p
			} else {
				g.Orphans = append(g.Orphans, int32(i))
			}
		}
	}
}

// breakCycles makes the node at which each cycle was entered a root.
func (g *Graph) breakCycles() {
	session.BreakCycles(g.Parent, 0, func(at int32) {
		g.Parent[at] = NoNode
		g.CycleRoots = append(g.CycleRoots, at)
	})
}

// sortByStamp sorts nodes by recorded time. The sort is stable.
func (g *Graph) sortByStamp(ps []int32) {
	slices.SortStableFunc(ps, func(a, b int32) int { return cmp.Compare(g.Nodes[a].Stamp, g.Nodes[b].Stamp) })
}

// subtreeStats describes the part of each node's subtree that is of the same session.
type subtreeStats struct {
	hasMessageBelow []bool  // a descendant is a user or assistant entry
	heightBelow     []int32 // length of the longest chain below, limited to what the ladder checks
}

// measureSubtrees computes the statistics of all nodes, children before parents.
func (g *Graph) measureSubtrees() subtreeStats {
	b := subtreeStats{make([]bool, len(g.Nodes)), make([]int32, len(g.Nodes))}
	waiting := make([]int32, len(g.Nodes))
	var ready []int32
	for i := range g.Nodes {
		for _, k := range g.Children[i] {
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
		up := g.Parent[at]
		if up == NoNode || !g.sameSession(at, up) {
			continue
		}
		b.hasMessageBelow[up] = b.hasMessageBelow[up] || b.hasMessageBelow[at] || g.Nodes[at].Class.IsMessage()
		b.heightBelow[up] = max(b.heightBelow[up], min(b.heightBelow[at], maxLadderDepth)+1)
		if waiting[up]--; waiting[up] == 0 {
			ready = append(ready, up)
		}
	}
	return b
}

func (g *Graph) sameSession(a, b int32) bool { return g.owner[a] == g.owner[b] }
