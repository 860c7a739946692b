package tree

import (
	"cmp"
	"slices"

	"sessiontree/internal/session/outline"
	"sessiontree/web/components"
)

// fillHits adds the number of hits in a closed branch or group, or a dot where a hit is not
// in the text of the row.
func (rb *rowBuilder) fillHits(m *components.RowModel, i int, r *outline.Row) {
	switch {
	case !r.Hit:
	case m.Expanded == 0:
		m.Hits, m.HitsFailed = countFoundAt(rb.s.Outline.Found, i), rb.s.Params.Query == ""
	case rb.s.Params.Query == "": // a failed call, whose status says so
	default:
		m.HitDot = !slices.ContainsFunc(m.Text, func(s components.Span) bool { return s.Mark })
	}
}

// countFoundAt returns how many of the found entries, which are sorted by row, are in row i.
func countFoundAt(found []outline.FoundEntry, i int) int {
	byRow := func(f outline.FoundEntry, row int) int { return cmp.Compare(int(f.Row), row) }
	from, _ := slices.BinarySearchFunc(found, i, byRow)
	to, _ := slices.BinarySearchFunc(found, i+1, byRow)
	return to - from
}
