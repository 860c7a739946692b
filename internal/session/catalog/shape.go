package catalog

import (
	"cmp"
	"slices"

	"sessiontree/internal/session"
	"sessiontree/internal/session/lanes"
)

// A shape shows at most this many branches, in this many lanes next to the spine.
const (
	maxShapeBranches = 40
	maxShapeLanes    = 7
)

// listBranches returns all visible branches except the spine.
func listBranches(t *session.Tree) []lanes.Branch {
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
	found      []lanes.Branch
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
		w.found = append(w.found, lanes.Branch{Up: index, X0: int32(x0)})
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

// packLongest returns the longest branches with their lanes.
func packLongest(all []lanes.Branch) []lanes.Branch {
	chosen := longestBranches(all)
	lanes.Pack(chosen)
	return chosen
}

// longestBranches returns the longest branches, each after the one it leaves; Up refers
// to the new order.
func longestBranches(all []lanes.Branch) []lanes.Branch {
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
	chosen := make([]lanes.Branch, 0, len(order))
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
func scaleShape(branches []lanes.Branch, entries int) []Lane {
	if entries == 0 {
		return nil
	}
	scale := func(x int32) int16 { return int16(int64(x) * 1000 / int64(max(entries-1, 1))) }
	shape := make([]Lane, 0, len(branches)+1)
	shape = append(shape, Lane{From: -1, X1: scale(int32(entries - 1))})
	for _, b := range branches {
		l := Lane{Lane: int8(min(b.Lane, maxShapeLanes)), X0: scale(b.X0), X1: scale(b.X1)}
		if b.Up >= 0 {
			l.From = int8(min(branches[b.Up].Lane, maxShapeLanes))
		}
		shape = append(shape, l)
	}
	return shape
}
