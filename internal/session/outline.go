package session

import "slices"

// Outline returns the visible rows for v.
func (t *Tree) Outline(v View) *Outline {
	o := &Outline{Selected: -1, Entries: t.EntryCount()}
	if v.Layout == LayoutOutline {
		t.buildPiOutline(v, o)
	} else {
		t.buildSpineOutline(v, o)
	}
	for i, r := range o.Rows.All() {
		if r.Hit {
			o.Hits = append(o.Hits, int32(i))
		}
	}
	return o
}

// preorder returns the entries depth first, siblings in order except that the one with
// leaf in its subtree is first.
func (t *Tree) preorder(leaf Pos) []Pos {
	active := t.markPath(leaf)
	order := make([]Pos, 0, len(t.entries))
	stack := pushActiveFirst(nil, t.roots, active)
	for len(stack) > 0 {
		p := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		order = append(order, p)
		stack = pushActiveFirst(stack, t.childIndex.childrenAt(p), active)
	}
	return order
}

// pushActiveFirst pushes ps on a stack so that the active one is popped first.
func pushActiveFirst(stack, ps []Pos, active []bool) []Pos {
	first := NoPos
	for i := len(ps) - 1; i >= 0; i-- {
		if active[ps[i]] {
			first = ps[i]
		} else {
			stack = append(stack, ps[i])
		}
	}
	if first != NoPos {
		stack = append(stack, first)
	}
	return stack
}

// buildPiOutline makes the rows of pi's own tree selector (0.58.3): its order and
// filters, each entry below its nearest visible ancestor, indents and gutters.
func (t *Tree) buildPiOutline(v View, o *Outline) {
	order := t.preorder(v.Leaf)
	shown := t.piVisibleEntries(v)
	for p := range shown {
		if shown[p] {
			o.Visible += int(t.traits[p].countWeight())
		}
	}
	var own []bool
	if len(parseQuery(v.Query)) > 0 {
		own = slices.Clone(shown) // before entries are folded
	}
	folded := t.foldClosedEntries(order, shown, v)
	addOutlineRows(t, order, shown, folded, o)
	o.indent()
	path := t.markPath(v.Leaf)
	for _, r := range o.Rows.All() {
		r.OnPath, r.Hit = path[r.Pos], own != nil
	}
	t.markLeafAndCursor(v, o)
	if own != nil {
		o.Found = t.listFound(own, v, o)
	}
	o.Branches, o.Agents = t.countBranches(), t.AgentCount()
}

// piVisibleEntries marks the entries that pass the view's filter and query.
func (t *Tree) piVisibleEntries(v View) []bool {
	visible := func(p Pos) bool { return t.isVisibleInPi(p, v) }
	match := t.entryMatcher(v)
	if match != nil && v.MatchesEntry != nil {
		return t.markMatches(match, visible)
	}
	shown := make([]bool, len(t.entries))
	for p := range shown {
		shown[p] = visible(Pos(p)) && (match == nil || match(Pos(p)))
	}
	return shown
}

// isVisibleInPi reports whether p has a row under the view's filter.
func (t *Tree) isVisibleInPi(p Pos, v View) bool {
	l := t.traits[p]
	if l.hasAnyTrait(traitUsage) || l.hasAnyTrait(traitWordless) && !l.hasAnyTrait(traitOutcomes) && p != v.Leaf {
		return false
	}
	return l.hasAnyTrait(traitLegacyListed) && v.Filter <= FilterNoTools || t.passesFilter(p, v.Filter)
}

// foldClosedEntries removes the descendants of closed entries from shown and returns
// how many rows each hides; entries without a number are not folded.
func (t *Tree) foldClosedEntries(order []Pos, shown []bool, v View) map[Pos]int32 {
	folded := map[Pos]int32{}
	for id, open := range v.Open {
		if p := t.FindID(id); p != NoPos && !open {
			folded[p] = 0
		}
	}
	if len(folded) == 0 {
		return folded
	}
	under := make([]Pos, len(t.entries)) // the topmost closed entry at or above an entry
	for _, p := range order {
		up := t.parent[p]
		under[p] = NoPos
		if up != NoPos {
			under[p] = under[up]
		}
		if fold := under[p]; fold != NoPos {
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
func addOutlineRows(t *Tree, order []Pos, shown []bool, folded map[Pos]int32, o *Outline) {
	rowAbove := make([]int32, len(t.entries)) // row of the entry or of its nearest shown ancestor
	for _, p := range order {
		above := int32(-1)
		if up := t.parent[p]; up != NoPos {
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

// markLeafAndCursor sets the leaf tag on the row of the leaf or its nearest visible
// ancestor, and the cursor on the row of the selected entry, else on the last row.
func (t *Tree) markLeafAndCursor(v View, o *Outline) {
	rows := t.indexRows(o, 0)
	if i := t.findNearestRow(rows, t.leaf, NoPos); i >= 0 {
		o.setLeafRow(i)
	}
	o.Selected = t.findNearestRow(rows, v.cursorEntry(), NoPos)
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
func (v *View) cursorEntry() Pos {
	if v.Entry == NoPos {
		return v.Leaf
	}
	return v.Entry
}
