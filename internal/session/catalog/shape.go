package catalog

import (
	"cmp"
	"slices"

	"sessiontree/internal/session"
)

// A shape shows at most this many branches, in this many lanes next to the spine.
const (
	maxShapeBranches = 40
	maxShapeLanes    = 7
)

// laneBranch is one branch of a session by positions of entries.
type laneBranch struct {
	Up   int32 // index of the branch it leaves, -1 the spine
	X0   int32 // where it leaves it
	X1   int32 // its last entry
	Lane int32 // counted from the spine, which is 0
}

// listBranches returns all visible branches except the spine.
func listBranches(t *session.Tree) []laneBranch {
	w := &laneWalk{tree: t, onLeafPath: make([]bool, t.Len())}
	for p := t.Leaf(); p != session.NoPos; p = t.Parent(p) {
		w.onLeafPath[p] = true
	}
	spine := w.addFork(w.laneEntries(t.Roots()), session.NoPos, -1)
	if spine != session.NoPos {
		w.followLane(spine, -1)
	}
	for len(w.pending) > 0 {
		d := w.pending[len(w.pending)-1]
		w.pending = w.pending[:len(w.pending)-1]
		w.found[d.index].X1 = int32(w.followLane(d.head, d.index))
	}
	return w.found
}

// laneWalk visits all lanes of a tree.
type laneWalk struct {
	tree       *session.Tree
	onLeafPath []bool // path to the leaf
	found      []laneBranch
	pending    []pendingBranch
}

// pendingBranch is a branch whose entries are not visited yet.
type pendingBranch struct {
	head  session.Pos
	index int32
}

// followLane follows a lane from p and returns its last entry. index is that of the
// lane's branch.
func (w *laneWalk) followLane(p session.Pos, index int32) session.Pos {
	for {
		kids := w.laneEntries(w.tree.Children(p))
		if len(kids) == 0 {
			return p
		}
		next := kids[0]
		if len(kids) > 1 {
			next = w.addFork(kids, p, index)
		}
		if next == session.NoPos {
			return p
		}
		p = next
	}
}

// laneEntries returns siblings without metadata and agents, which are not part of a
// lane.
func (w *laneWalk) laneEntries(kids []session.Pos) []session.Pos {
	aside := func(k session.Pos) bool {
		e := w.tree.At(k)
		return (e.HasFlag(session.FlagMetadata) || e.HasFlag(session.FlagAgent)) && !w.onLeafPath[k]
	}
	if !slices.ContainsFunc(kids, aside) {
		return kids
	}
	return slices.DeleteFunc(slices.Clone(kids), aside)
}

// addFork records the branches among siblings and returns the one that continues the
// lane: the one with the leaf, else the newest branch.
func (w *laneWalk) addFork(kids []session.Pos, from session.Pos, index int32) session.Pos {
	real := w.siblingBranches(kids)
	next := session.NoPos
	for _, k := range kids {
		if w.onLeafPath[k] {
			next = k
		}
	}
	if next == session.NoPos && len(real) > 0 {
		next = real[len(real)-1]
	} else if next == session.NoPos && len(kids) > 0 {
		next = kids[len(kids)-1]
	}
	for _, k := range real {
		if k == next {
			continue
		}
		x0 := from
		if from == session.NoPos {
			x0 = k
		}
		w.pending = append(w.pending, pendingBranch{k, int32(len(w.found))})
		w.found = append(w.found, laneBranch{Up: index, X0: int32(x0)})
	}
	return next
}

// siblingBranches returns the siblings that are visible branches. SiblingBranches
// always includes its argument, so two calls are needed.
func (w *laneWalk) siblingBranches(kids []session.Pos) []session.Pos {
	if len(kids) < 2 {
		return nil
	}
	first := w.tree.Subtrees().SiblingBranches(kids[0])
	if slices.Contains(w.tree.Subtrees().SiblingBranches(kids[1]), kids[0]) {
		return first
	}
	return slices.DeleteFunc(slices.Clone(first), func(p session.Pos) bool { return p == kids[0] })
}

// packLanes assigns lanes to the longest branches. Later forks are nearer to the spine,
// so that no line crosses another branch. Branches of a branch are beyond it and move
// with it.
func packLanes(all []laneBranch) []laneBranch {
	chosen := longestBranches(all)
	kids := make([][]int, len(chosen)+1) // indexes of branches by the branch they leave, the spine's first
	for i, b := range chosen {
		kids[b.Up+1] = append(kids[b.Up+1], i)
	}
	end := make([]int32, len(chosen))    // last position of a branch, its own branches included
	height := make([]int32, len(chosen)) // number of lanes of a branch, its own branches included
	for i := len(chosen) - 1; i >= -1; i-- {
		own := kids[i+1]
		slices.SortStableFunc(own, func(a, b int) int { return cmp.Compare(chosen[b].X0, chosen[a].X0) })
		top := int32(0)
		for n, k := range own {
			lane := int32(1)
			for _, later := range own[:n] {
				if chosen[later].X0 <= end[k] {
					lane = max(lane, chosen[later].Lane+height[later])
				}
			}
			chosen[k].Lane = lane // relative to its parent for now
			top = max(top, lane+height[k]-1)
		}
		if i < 0 {
			break
		}
		height[i], end[i] = top+1, chosen[i].X1
		for _, k := range own {
			end[i] = max(end[i], end[k])
		}
	}
	for i := range chosen {
		if up := chosen[i].Up; up >= 0 {
			chosen[i].Lane += chosen[up].Lane
		}
	}
	return chosen
}

// longestBranches returns the longest branches, each after the one it leaves; Up refers
// to the new order.
func longestBranches(all []laneBranch) []laneBranch {
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	if len(all) > maxShapeBranches {
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(all[b].X1-all[b].X0, all[a].X1-all[a].X0) })
		order = order[:maxShapeBranches]
		slices.Sort(order)
	}
	place := make(map[int32]int32, len(order))
	var chosen []laneBranch
	for _, i := range order {
		b := all[i]
		if b.Up >= 0 {
			up, ok := place[b.Up]
			if !ok {
				continue // the branch that it leaves is not shown
			}
			b.Up = up
		}
		place[int32(i)] = int32(len(chosen))
		chosen = append(chosen, b)
	}
	return chosen
}

// scaleShape scales branches to thousandths of a session's entries, the spine first.
func scaleShape(branches []laneBranch, entries int) []Lane {
	if entries == 0 {
		return nil
	}
	scale := func(x int32) int16 { return int16(int64(x) * 1000 / int64(max(entries-1, 1))) }
	lanes := make([]Lane, 0, len(branches)+1)
	lanes = append(lanes, Lane{From: -1, X1: scale(int32(entries - 1))})
	for _, b := range branches {
		l := Lane{Lane: int8(min(b.Lane, maxShapeLanes)), X0: scale(b.X0), X1: scale(b.X1)}
		if b.Up >= 0 {
			l.From = int8(min(branches[b.Up].Lane, maxShapeLanes))
		}
		lanes = append(lanes, l)
	}
	return lanes
}
