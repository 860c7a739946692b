package outline

// maxLane limits lane numbers; deeper lanes share the last one.
const maxLane = 1<<15 - 2

// sharedLane is the bit for all lanes from it on.
const sharedLane = 63

// laneState records, from the last row upward, which lanes have rows below.
type laneState struct {
	below, path               []bool
	through, viewed           uint64 // the same as bits
	sharedBelow, sharedViewed int    // number of lanes that share the last bit
}

// newLanes returns the state below the last row, for the rows from index at on.
func newLanes(rows *Rows, at int) *laneState {
	top := int16(0)
	for i := at; i < rows.Len(); i++ {
		top = max(top, rows.At(i).Lane)
	}
	return &laneState{below: make([]bool, top+1), path: make([]bool, top+1)}
}

// drawLanes sets the lane bits and ends of the spine rows from index first up to end.
// It goes from the last row up: a lane runs through a row if it has a row below, so no
// lane is drawn beyond its last row.
func (l *laneState) drawLanes(rows *Rows, first, end int) {
	for i := end - 1; i >= first; i-- {
		r := rows.At(i)
		r.Last = !l.below[r.Lane]
		onPath := r.OnPath
		if r.OffChain {
			onPath = onPath || l.path[r.Lane]
		}
		l.setLane(r.Lane, true, onPath)
		r.Through, r.Path = l.through, l.viewed
		if r.Kind == RowBranch {
			l.setLane(r.Lane, false, false)
			l.setLane(r.Lane-1, true, r.OnPath || l.path[r.Lane-1])
		}
		if r.startsRoot {
			l.setLane(0, false, false)
		}
	}
}

// setLane sets whether lane k has rows below, and whether it is on the viewed path
// there.
func (l *laneState) setLane(k int16, below, path bool) {
	if k < sharedLane {
		l.through, l.viewed = withBit(l.through, k, below), withBit(l.viewed, k, path)
	} else {
		l.sharedBelow += countDelta(l.below[k], below)
		l.sharedViewed += countDelta(l.path[k], path)
		l.through, l.viewed = withBit(l.through, sharedLane, l.sharedBelow > 0), withBit(l.viewed, sharedLane, l.sharedViewed > 0)
	}
	l.below[k], l.path[k] = below, path
}

func withBit(word uint64, k int16, on bool) uint64 {
	if on {
		return word | 1<<k
	}
	return word &^ (1 << k)
}

func countDelta(was, is bool) int {
	switch {
	case is && !was:
		return 1
	case was && !is:
		return -1
	}
	return 0
}
