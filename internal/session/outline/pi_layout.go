package outline

import (
	"slices"

	"sessiontree/internal/session"
)

// buildPiOutline makes the rows of pi's own tree selector (0.58.3): its order and
// filters, each entry below its nearest visible ancestor, indents and gutters.
func buildPiOutline(t *session.Tree, v View, o *Outline) {
	order := t.Preorder(v.Leaf)
	shown := piVisibleEntries(t, v)
	for p := range shown {
		if shown[p] {
			o.Visible += int(t.Traits(session.Pos(p)).CountWeight())
		}
	}
	var own []bool
	if len(session.ParseQuery(v.Query)) > 0 {
		own = slices.Clone(shown) // before entries are folded
	}
	folded := foldClosedEntries(t, order, shown, v)
	addOutlineRows(t, order, shown, folded, o)
	o.indent()
	path := t.MarkPath(v.Leaf)
	for _, r := range o.Rows.All() {
		r.OnPath, r.Hit = path[r.Pos], own != nil
	}
	markLeafAndCursor(t, v, o)
	if own != nil {
		o.Found = listFound(t, own, nil, v, o)
	}
	o.Branches, o.Agents = t.Subtrees().BranchCount(), t.Subtrees().AgentCount()
}

// piVisibleEntries marks the entries that pass the view's filter and query.
func piVisibleEntries(t *session.Tree, v View) []bool {
	visible := func(p session.Pos) bool { return isVisibleInPi(t, p, v) }
	match := entryMatcher(t, v)
	if match != nil && v.MatchesEntry != nil {
		return markMatches(t, match, visible)
	}
	shown := make([]bool, t.Len())
	for p := range shown {
		shown[p] = visible(session.Pos(p)) && (match == nil || match(session.Pos(p)))
	}
	return shown
}

// isVisibleInPi reports whether p has a row under the view's filter.
func isVisibleInPi(t *session.Tree, p session.Pos, v View) bool {
	l := t.Traits(p)
	if l.HasAny(session.TraitUsage) || l.HasAny(session.TraitWordless) && !l.HasAny(session.TraitOutcomes) && p != v.Leaf {
		return false
	}
	return l.HasAny(session.TraitLegacyListed) && v.Filter <= FilterNoTools || passesFilter(t, p, v.Filter)
}

// foldClosedEntries removes the descendants of closed entries from shown and returns
// how many rows each hides; entries without a number are not folded.
func foldClosedEntries(t *session.Tree, order []session.Pos, shown []bool, v View) map[session.Pos]int32 {
	folded := map[session.Pos]int32{}
	for id, open := range v.Open {
		if p := t.FindID(id); p != session.NoPos && !open {
			folded[p] = 0
		}
	}
	if len(folded) == 0 {
		return folded
	}
	under := make([]session.Pos, t.Len()) // the topmost closed entry at or above an entry
	for _, p := range order {
		up := t.Parent(p)
		under[p] = session.NoPos
		if up != session.NoPos {
			under[p] = under[up]
		}
		if fold := under[p]; fold != session.NoPos {
			if shown[p] {
				folded[fold]++
			}
			shown[p] = false
		} else if _, closed := folded[p]; closed {
			under[p] = p
		}
	}
	return folded
}

// addOutlineRows adds a row for every shown entry; its ParentRow is that of its nearest
// shown ancestor.
func addOutlineRows(t *session.Tree, order []session.Pos, shown []bool, folded map[session.Pos]int32, o *Outline) {
	rowAbove := make([]int32, t.Len()) // row of the entry or of its nearest shown ancestor
	for _, p := range order {
		above := int32(-1)
		if up := t.Parent(p); up != session.NoPos {
			above = rowAbove[up]
		}
		rowAbove[p] = above
		if shown[p] {
			rowAbove[p] = int32(o.Rows.Len())
			count, closed := folded[p]
			o.Rows.pushRow(Row{Pos: p, Title: p, ParentRow: above, Count: count, Open: !closed})
		}
	}
}

// maxGutters limits the gutters of a row. No screen shows more, and without a limit the
// memory for a deep comb of branches would grow with the square of its depth.
const maxGutters = 256

// indent sets indents, connectors, gutters and places among siblings from Up. A run
// is the children of a row; the last one is the roots.
func (o *Outline) indent() {
	rows, n := &o.Rows, o.Rows.Len()
	kids := make([]int32, n+1)
	for _, r := range rows.All() {
		if r.run = r.ParentRow; r.ParentRow < 0 {
			r.run = int32(n)
		}
		kids[r.run]++
		r.PosInRun = kids[r.run]
	}
	o.runSizes, o.gutters = kids, [][]Gutter{nil}
	severalRoots := kids[n] > 1
	below := make([]int32, n) // where the gutters of a row's children are, -1 when not known
	for i, r := range rows.All() {
		below[i] = -1
		siblings := kids[r.run]
		r.IsLast, r.Connector = r.PosInRun == siblings, siblings > 1
		if r.ParentRow < 0 {
			r.Lane = int16(min(siblings-1, 1))
			r.RuleAbove = i > 0
			continue
		}
		up := rows.At(int(r.ParentRow))
		r.Lane = up.Lane
		if siblings > 1 || up.Connector && up.Lane > 0 {
			r.Lane = min(up.Lane+1, maxLane)
		}
		if below[r.ParentRow] < 0 {
			below[r.ParentRow] = o.guttersBelow(up, severalRoots)
		}
		r.gutters = below[r.ParentRow]
	}
}

// guttersBelow returns where the gutters of up's children are: its own, and the line
// of its connector when that is drawn.
func (o *Outline) guttersBelow(up *Row, severalRoots bool) int32 {
	own := o.Gutters(up)
	if !up.Connector || up.ParentRow < 0 || len(own) >= maxGutters {
		return up.gutters
	}
	drawn := int(up.Lane)
	if severalRoots {
		drawn = max(0, drawn-1)
	}
	o.gutters = append(o.gutters, append(own[:len(own):len(own)], Gutter{max(0, drawn-1), !up.IsLast}))
	return int32(len(o.gutters) - 1)
}

// Gutters returns the columns left of a row of the outline layout, as pi draws them.
func (o *Outline) Gutters(r *Row) []Gutter {
	if r.gutters == 0 {
		return nil
	}
	return o.gutters[r.gutters]
}
