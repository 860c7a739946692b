package view

import (
	"sessiontree/internal/session"
	"sessiontree/web/components"
)

// sharedLane is the first of the lanes that share one cell.
const sharedLane = 4

// lanes draws the cells of a row: one for each lane up to the row's own. Lanes of
// sharedLane and more are one cell that tells the lane's number.
func lanes(r *session.Row) (cells []components.LaneCell, more int) {
	own := int(r.Lane)
	cells = make([]components.LaneCell, min(own, sharedLane)+1)
	for k := range cells[:len(cells)-1] {
		cells[k] = components.LaneCell{Colour: laneColour(r, k), Shape: passing(r, k)}
	}
	if own >= sharedLane {
		more = own
	}
	cells[len(cells)-1] = components.LaneCell{Colour: laneColour(r, own), Shape: ownShape(r)}
	return cells, more
}

func bit(set uint64, lane int) bool { return set>>min(lane, 63)&1 == 1 }

// laneColour: the viewed path, else the spine, else another branch.
func laneColour(r *session.Row, lane int) string {
	switch {
	case bit(r.Path, lane):
		return "p"
	case lane == 0:
		return "s"
	}
	return "b"
}

func passing(r *session.Row, lane int) string {
	if bit(r.Through, lane) {
		return ""
	}
	return "none"
}

func ownShape(r *session.Row) string {
	if r.Kind == session.RowStub {
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
