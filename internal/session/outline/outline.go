// Package outline makes the visible rows of a session tree: which entries have one, in which
// order, and how lanes and indents are drawn.
package outline

import "sessiontree/internal/session"

// Outline is the visible rows of a tree for one View. It is immutable.
type Outline struct {
	Rows     Rows
	Selected int          // index of the row where the cursor starts; -1 if there are no rows
	Hits     []int32      // indexes of rows that match the query, in order
	Found    []FoundEntry // entries that match the query, in the order of their rows
	Entries  int          // entries in the tree, without metadata
	Visible  int          // number of entries with a row, in open and closed branches
	Branches int          // number of branches
	Agents   int          // number of agents

	runSizes []int32    // how many rows each run has
	gutters  [][]Gutter // the lists that rows of the outline layout have; the first one is empty

	resumeState *resumeState // checkpoint from which a grown outline is computed; nil: none
}

// FindRow returns the index of the row of an entry, or -1. A branch row is the row of
// its title if that has no other.
func (o *Outline) FindRow(p session.Pos) int {
	branchRow := -1
	for i, r := range o.Rows.All() {
		switch {
		case r.Title != p || r.Kind == RowFoldedGroup || r.Kind == RowSessionHeader:
		case r.Kind == RowBranch:
			branchRow = i
		default:
			return i
		}
	}
	return branchRow
}

// RunSize returns the number of rows in the run of a row: those in the same lane below
// the same branch row or folded group.
func (o *Outline) RunSize(r *Row) int { return int(o.runSizes[r.run]) }

// WindowRange returns the range of at most n rows from index at, end exclusive.
func (o *Outline) WindowRange(at, n int) (first, end int) {
	first = min(max(at, 0), o.Rows.Len())
	return first, min(first+max(n, 0), o.Rows.Len())
}

// Build returns the visible rows of a tree for v.
func Build(t *session.Tree, v View) *Outline {
	o := &Outline{Selected: -1, Entries: t.EntryCount()}
	if v.Layout == LayoutOutline {
		buildPiOutline(t, v, o)
	} else {
		buildSpineOutline(t, v, o)
	}
	for i, r := range o.Rows.All() {
		if r.Hit {
			o.Hits = append(o.Hits, int32(i))
		}
	}
	return o
}

// markLeafAndCursor sets the leaf tag on the row of the leaf or its nearest visible
// ancestor, and the cursor on the row of the selected entry, else on the last row.
func markLeafAndCursor(t *session.Tree, v View, o *Outline) {
	rows := indexRows(t, o, 0)
	if i := findNearestRow(t, rows, t.Leaf(), session.NoPos); i >= 0 {
		o.setLeafRow(i)
	}
	o.Selected = findNearestRow(t, rows, v.cursorEntry(), session.NoPos)
	if o.Selected < 0 {
		o.Selected = o.Rows.Len() - 1
	}
}

// setLeafRow sets the leaf tag on the row at index i.
func (o *Outline) setLeafRow(i int) {
	o.Rows.At(i).Leaf = true
	if o.resumeState != nil {
		o.resumeState.leafRow = i
	}
}

// cursorEntry returns the entry where the view's cursor starts.
func (v *View) cursorEntry() session.Pos {
	if v.Entry == session.NoPos {
		return v.Leaf
	}
	return v.Entry
}

// passesFilter reports whether the entry at p passes filter f. A layout may hide it
// nevertheless.
func passesFilter(t *session.Tree, p session.Pos, f Filter) bool {
	l := t.Traits(p)
	switch f {
	case FilterAll:
		return true
	case FilterUserOnly:
		return l.HasAny(session.TraitUser)
	case FilterLabeledOnly:
		_, labeled := t.Label(p)
		return labeled
	case FilterFailed:
		return l.HasAny(session.TraitUser|session.TraitFailed) || p == t.Leaf()
	case FilterNoTools:
		return !l.HasAny(session.TraitToolResult | session.TraitSetting)
	}
	return !l.HasAny(session.TraitSetting)
}
