package outline

import "strings"

// GraphCell is one lane of a spine row as text.
type GraphCell struct {
	Text string
	Path bool // part of the viewed path
	Node bool // the row's own node
}

// GraphCells draws the lanes of a spine row for a terminal, like git log --graph. Lanes
// that share a bit are drawn as one.
func (r *Row) GraphCells() []GraphCell {
	own := min(int(r.Lane), sharedLane)
	cells := make([]GraphCell, 0, own+1)
	for k := range own {
		text := "  "
		through := r.Through>>k&1 == 1
		switch branches := r.Kind == RowBranch && k == own-1; {
		case branches && through:
			text = "├─"
		case branches:
			text = "╰─"
		case through:
			text = "│ "
		}
		path := r.Path>>k&1 == 1 || r.Kind == RowBranch && k == own-1 && r.OnPath
		cells = append(cells, GraphCell{Text: text, Path: path})
	}
	return append(cells, GraphCell{Text: r.nodeText(), Path: r.Path>>own&1 == 1, Node: true})
}

func (r *Row) nodeText() string {
	switch r.Kind {
	case RowBranch:
		switch {
		case r.Open:
			return "┬"
		case !r.LeafOnly:
			return "▸"
		}
	case RowFoldedGroup, RowCall, RowSessionHeader:
		return "·"
	case RowBranchMark:
		return "◌"
	}
	return "●"
}

// IndentPrefix draws the indentation of row i in the outline layout as pi does, three
// columns a level, and whether the row is folded.
func (o *Outline) IndentPrefix(i int) string {
	r := o.Rows.At(i)
	drawn := o.indentLevel(r)
	cells := []rune(strings.Repeat("   ", drawn))
	for _, g := range o.Gutters(r) {
		if g.Show && g.Position*3 < len(cells) {
			cells[g.Position*3] = '│'
		}
	}
	switch {
	case r.Connector && r.ParentRow >= 0:
		copy(cells[max(0, drawn-1)*3:], []rune(o.connectorText(i)))
	case !r.Open:
		cells = append(cells, []rune("⊞ ")...)
	}
	return string(cells)
}

// TruncatedPrefix returns the last levels of IndentPrefix, and how many levels it
// omitted: no screen is as wide as a deep tree.
func (o *Outline) TruncatedPrefix(i, levels int) (prefix string, left int) {
	r := o.Rows.At(i)
	if left = o.indentLevel(r) - levels; left <= 0 {
		return o.IndentPrefix(i), 0
	}
	cells := []rune(strings.Repeat("   ", levels))
	for up := r.ParentRow; up >= 0 && o.indentLevel(o.Rows.At(int(up))) > left; up = o.Rows.At(int(up)).ParentRow {
		if a := o.Rows.At(int(up)); a.Connector && !a.IsLast && a.ParentRow >= 0 {
			cells[(o.indentLevel(a)-1-left)*3] = '│'
		}
	}
	switch {
	case r.Connector && r.ParentRow >= 0:
		copy(cells[(levels-1)*3:], []rune(o.connectorText(i)))
	case !r.Open:
		cells = append(cells, []rune("⊞ ")...)
	}
	return string(cells), left
}

// indentLevel returns the indentation level of a row. If there are several roots, their
// common parent has no row.
func (o *Outline) indentLevel(r *Row) int {
	if o.Rows.At(0).Lane > 0 {
		return int(r.Lane) - 1
	}
	return int(r.Lane)
}

func (o *Outline) connectorText(i int) string {
	corner, line := "├", "─"
	if o.Rows.At(i).IsLast {
		corner = "└"
	}
	switch {
	case !o.Rows.At(i).Open:
		line = "⊞"
	case i+1 < o.Rows.Len() && o.Rows.At(i+1).ParentRow == int32(i):
		line = "⊟"
	}
	return corner + line + " "
}
