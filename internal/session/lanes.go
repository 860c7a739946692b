package session

// maxLane bounds lane numbers; what is nested deeper shares the last.
const maxLane = 1<<15 - 2

// sharedLane is the bit that stands for all lanes from it on.
const sharedLane = 63

// lanes knows, going up through the rows, which lanes go on below.
type lanes struct {
	below, path     []bool
	through, viewed uint64 // the same as bits
	deep, deepPath  int    // lanes that share the last bit
}

// newLanes returns the lanes below the last row, for rows from index at on.
func newLanes(rows *Rows, at int) *lanes {
	top := int16(0)
	for i := at; i < rows.Len(); i++ {
		top = max(top, rows.At(i).Lane)
	}
	return &lanes{below: make([]bool, top+1), path: make([]bool, top+1)}
}

// draw sets the lane bits and ends of the spine rows from index first up to end. It
// goes from the last row up: a lane runs through a row when something of it stands
// below, so no lane is ever drawn beyond its last row.
func (l *lanes) draw(rows *Rows, first, end int) {
	for i := end - 1; i >= first; i-- {
		r := rows.At(i)
		r.Last = !l.below[r.Lane]
		onPath := r.OnPath
		if r.Aside {
			onPath = onPath || l.path[r.Lane]
		}
		l.set(r.Lane, true, onPath)
		r.Through, r.Path = l.through, l.viewed
		if r.Kind == RowStub {
			l.set(r.Lane, false, false)
			l.set(r.Lane-1, true, r.OnPath || l.path[r.Lane-1])
		}
		if r.fresh {
			l.set(0, false, false)
		}
	}
}

// set notes that lane k goes on below, and whether it is viewed there.
func (l *lanes) set(k int16, below, path bool) {
	if k < sharedLane {
		l.through, l.viewed = bit(l.through, k, below), bit(l.viewed, k, path)
	} else {
		l.deep += step(l.below[k], below)
		l.deepPath += step(l.path[k], path)
		l.through, l.viewed = bit(l.through, sharedLane, l.deep > 0), bit(l.viewed, sharedLane, l.deepPath > 0)
	}
	l.below[k], l.path[k] = below, path
}

func bit(word uint64, k int16, on bool) uint64 {
	if on {
		return word | 1<<k
	}
	return word &^ (1 << k)
}

func step(was, is bool) int {
	switch {
	case is && !was:
		return 1
	case was && !is:
		return -1
	}
	return 0
}
