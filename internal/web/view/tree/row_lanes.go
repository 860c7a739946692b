package tree

import (
	"sessiontree/internal/session/outline"
	"sessiontree/web/components"
)

// firstSharedLane is the first of the lanes that share one cell.
const firstSharedLane = 4

// laneCells returns the cells of a row, one for each lane up to its own. Lanes from
// firstSharedLane on share one cell, which shows the lane's number.
func laneCells(r *outline.Row) (cells []components.LaneCell, more int) {
	own := int(r.Lane)
	cells = make([]components.LaneCell, min(own, firstSharedLane)+1)
	for k := range cells[:len(cells)-1] {
		cells[k] = components.LaneCell{Color: laneColorClass(r, k), Shape: throughShape(r, k)}
	}
	if own >= firstSharedLane {
		more = own
	}
	cells[len(cells)-1] = components.LaneCell{Color: laneColorClass(r, own), Shape: ownLaneShape(r)}
	return cells, more
}

func hasLane(set uint64, lane int) bool { return set>>min(lane, 63)&1 == 1 }

// laneColorClass returns the color of a lane: the viewed path, the spine, or another
// branch.
func laneColorClass(r *outline.Row, lane int) string {
	switch {
	case hasLane(r.Path, lane):
		return "path"
	case lane == 0:
		return "spine"
	}
	return "branch"
}

func throughShape(r *outline.Row, lane int) string {
	if hasLane(r.Through, lane) {
		return ""
	}
	return "none"
}

func ownLaneShape(r *outline.Row) string {
	if r.Kind == outline.RowBranch {
		if r.Open {
			return "elbow start"
		}
		return "elbow none"
	}
	switch {
	case r.First && r.Last:
		return "none"
	case r.First:
		return "start"
	case r.Last:
		return "end"
	}
	return ""
}
