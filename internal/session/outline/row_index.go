package outline

import "sessiontree/internal/session"

// rowIndex finds the row of an entry: its own, else that of the last of its calls, else
// the branch row that displays it.
type rowIndex struct {
	o      *Outline
	dense  []int32               // by entry, counted from 1; nil if there are few rows
	sparse map[session.Pos]int32 // the same, if there are few rows
}

// indexRows returns an index of the rows from index first on.
func indexRows(t *session.Tree, o *Outline, first int) *rowIndex {
	x := &rowIndex{o: o}
	if n := o.Rows.Len() - first; n < t.Len()/32 {
		x.sparse = make(map[session.Pos]int32, n)
	} else {
		x.dense = make([]int32, t.Len())
	}
	for i := first; i < o.Rows.Len(); i++ {
		x.indexRow(i)
	}
	return x
}

func (x *rowIndex) indexRow(i int) {
	r := x.o.Rows.At(i)
	switch r.Kind {
	case RowFoldedGroup, RowSessionHeader:
	case RowBranch:
		x.setRow(r.Title, i)
		if x.rowOf(r.Pos) < 0 {
			x.setRow(r.Pos, i)
		}
	case RowCall:
		if at := x.rowOf(r.Pos); at < 0 || x.o.Rows.At(at).Kind != RowEntry {
			x.setRow(r.Pos, i)
		}
	default:
		x.setRow(r.Pos, i)
	}
}

func (x *rowIndex) setRow(p session.Pos, i int) {
	if x.dense != nil {
		x.dense[p] = int32(i + 1)
	} else {
		x.sparse[p] = int32(i + 1)
	}
}

// rowOf returns the index of the row of an entry, or -1.
func (x *rowIndex) rowOf(p session.Pos) int {
	if x.dense != nil {
		return int(x.dense[p]) - 1
	}
	return int(x.sparse[p]) - 1
}

// findNearestRow returns the index of the row of p or of its nearest ancestor up to top
// that has one, or -1.
func findNearestRow(t *session.Tree, rows *rowIndex, p, top session.Pos) int {
	for ; p != session.NoPos; p = t.Parent(p) {
		if i := rows.rowOf(p); i >= 0 || p == top {
			return i
		}
	}
	return -1
}
