package session

import "slices"

// Outline computes the visible rows for v.
func (t *Tree) Outline(v View) *Outline {
	o := &Outline{Selected: -1, Entries: t.Count()}
	if v.Layout == LayoutOutline {
		t.piOutline(v, o)
	} else {
		t.spineOutline(v, o)
	}
	for i, r := range o.Rows.All() {
		if r.Hit {
			o.Hits = append(o.Hits, int32(i))
		}
	}
	return o
}

// preorder lists the entries depth first, siblings in order except that the one
// with leaf at or below it comes first.
func (t *Tree) preorder(leaf Pos) []Pos {
	active := t.onPath(leaf)
	order := make([]Pos, 0, len(t.entries))
	stack := pushActiveFirst(nil, t.roots, active)
	for len(stack) > 0 {
		p := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		order = append(order, p)
		stack = pushActiveFirst(stack, t.kids.of(p), active)
	}
	return order
}

// pushActiveFirst puts ps on a stack so that the active one comes off first.
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

// piOutline makes the rows of pi's own tree selector (0.58.3): order, filters,
// re-hanging under the nearest visible ancestor, indents and gutters.
func (t *Tree) piOutline(v View, o *Outline) {
	order := t.preorder(v.Leaf)
	shown := t.piShown(v)
	for p := range shown {
		if shown[p] {
			o.Visible += int(t.looks[p].weight())
		}
	}
	var own []bool
	if len(parseQuery(v.Query)) > 0 {
		own = slices.Clone(shown) // before some are folded
	}
	folded := t.foldOutline(order, shown, v)
	hang(t, order, shown, folded, o)
	o.runs = indent(&o.Rows)
	path := t.onPath(v.Leaf)
	for _, r := range o.Rows.All() {
		r.OnPath, r.Hit = path[r.Pos], own != nil
	}
	t.mark(v, o)
	if own != nil {
		o.Found = t.find(own, v, o)
	}
	o.Branches, o.Agents = t.countBranches(), t.Agents()
}

// piShown marks the entries that pass the view's filter and query.
func (t *Tree) piShown(v View) []bool {
	visible := func(p Pos) bool { return t.piShows(p, v) }
	match := t.matcher(v)
	if match != nil && v.Hits != nil {
		return t.found(match, visible)
	}
	shown := make([]bool, len(t.entries))
	for p := range shown {
		shown[p] = visible(Pos(p)) && (match == nil || match(Pos(p)))
	}
	return shown
}

// piShows reports whether p has a row under the view's filter.
func (t *Tree) piShows(p Pos, v View) bool {
	l := t.looks[p]
	if l.is(looksUsage) || l.is(looksWordless) && !l.is(looksWhole) && p != v.Leaf {
		return false
	}
	return l.is(looksOdd) && v.Filter <= FilterNoTools || t.passes(p, v.Filter)
}

// foldOutline takes what stands below closed entries out of shown and answers
// how many rows each hides; an entry without a number is not folded.
func (t *Tree) foldOutline(order []Pos, shown []bool, v View) map[Pos]int32 {
	folded := map[Pos]int32{}
	for id, open := range v.Open {
		if p := t.Find(id); p != NoPos && !open {
			folded[p] = 0
		}
	}
	if len(folded) == 0 {
		return folded
	}
	under := make([]Pos, len(t.entries)) // the topmost fold at or above an entry
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

// hang makes a row for every shown entry; Up is the row of its nearest shown
// ancestor.
func hang(t *Tree, order []Pos, shown []bool, folded map[Pos]int32, o *Outline) {
	rowAbove := make([]int32, len(t.entries)) // of the entry, or of its nearest shown ancestor
	for _, p := range order {
		above := int32(-1)
		if up := t.parent[p]; up != NoPos {
			above = rowAbove[up]
		}
		rowAbove[p] = above
		if shown[p] {
			rowAbove[p] = int32(o.Rows.Len())
			count, closed := folded[p]
			o.Rows.add(Row{Pos: p, Title: p, Up: above, Count: count, Open: !closed})
		}
	}
}

// maxGutters bounds the gutters of a row; no screen shows more, and without a
// bound a deep comb of branches would need memory by the square of its depth.
const maxGutters = 256

// indent sets indents, connectors, gutters and places among siblings from Up. It
// returns how many children each row has, and last how many roots there are.
func indent(rows *Rows) (kids []int32) {
	n := rows.Len()
	kids = make([]int32, n+1)
	for _, r := range rows.All() {
		if r.run = r.Up; r.Up < 0 {
			r.run = int32(n)
		}
		kids[r.run]++
		r.Nth = kids[r.run]
	}
	severalRoots := kids[n] > 1
	below := make([][]Gutter, n) // the gutters of a row's children
	for i, r := range rows.All() {
		siblings := kids[r.run]
		r.IsLast, r.Connector = r.Nth == siblings, siblings > 1
		if r.Up < 0 {
			r.Lane = int16(min(siblings-1, 1))
			r.Rule = i > 0
			continue
		}
		up := rows.At(int(r.Up))
		r.Lane = up.Lane
		if siblings > 1 || up.Connector && up.Lane > 0 {
			r.Lane = min(up.Lane+1, maxLane)
		}
		r.Gutters = gutters(below, r.Up, up, severalRoots)
	}
	return kids
}

// gutters answers what children of row i inherit: its own, and the line of its
// connector when that is drawn.
func gutters(below [][]Gutter, i int32, up *Row, severalRoots bool) []Gutter {
	if below[i] != nil || !up.Connector || up.Up < 0 || len(up.Gutters) >= maxGutters {
		if below[i] == nil {
			below[i] = up.Gutters
		}
		return below[i]
	}
	drawn := int(up.Lane)
	if severalRoots {
		drawn = max(0, drawn-1)
	}
	below[i] = append(up.Gutters[:len(up.Gutters):len(up.Gutters)], Gutter{max(0, drawn-1), !up.IsLast})
	return below[i]
}

// mark puts the leaf tag on the leaf's row or its nearest visible ancestor, and
// the cursor on the selected entry's, else on the last row.
func (t *Tree) mark(v View, o *Outline) {
	rows := t.indexRows(o, 0)
	if i := t.nearest(rows, t.leaf, NoPos); i >= 0 {
		o.setLeaf(i)
	}
	o.Selected = t.nearest(rows, v.cursor(), NoPos)
	if o.Selected < 0 {
		o.Selected = o.Rows.Len() - 1
	}
}

// setLeaf puts the leaf tag on the row at index i.
func (o *Outline) setLeaf(i int) {
	o.Rows.At(i).Leaf = true
	if o.resume != nil {
		o.resume.leafRow = i
	}
}

// cursor is the entry that the view's cursor starts at.
func (v *View) cursor() Pos {
	if v.Entry == NoPos {
		return v.Leaf
	}
	return v.Entry
}
