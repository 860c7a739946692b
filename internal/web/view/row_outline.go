package view

import (
	"strconv"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/web/components"
)

// unsigned takes pi's signs of folding out of a prefix: a box of its own stands in
// the row.
var unsigned = strings.NewReplacer("⊟", "─", "⊞", "─")

// outline fills what the outline layout shows otherwise: pi's own words, and
// indentation drawn as text.
func (rb *rowBuilder) outline(m *components.RowModel, i int, r *session.Row) {
	o := rb.s.Outline
	m.Tool, m.Node, m.Meta = "", "", ""
	m.Text = spans(oneLine(rb.s.Tree.RowText(r.Pos)), rb.words)
	m.Prefix = outlinePrefix(o, i)
	if r.Up < 0 && !r.Open { // a root has no line, only the sign
		m.Prefix = strings.TrimSuffix(m.Prefix, "─ ")
	}
	if o.Rows.At(0).Lane > 0 { // several roots hang on one that is not shown
		m.Level--
	}
	if !foldable(o, i) {
		return
	}
	m.Expanded = 1
	if !r.Open {
		m.Expanded, m.Count = 0, int(r.Count)
	}
	m.Toggle = rb.s.Params.withOpen(m.Entry, !r.Open).Href(rb.s.Base())
}

// maxIndent is how many levels of indentation a row draws. Of a deeper row the last
// ones are drawn, behind the number of those left out.
const maxIndent = 8

func outlinePrefix(o *session.Outline, i int) string {
	prefix, left := o.PrefixEnd(i, maxIndent)
	prefix = unsigned.Replace(prefix)
	if left > 0 {
		return strconv.Itoa(left) + "… " + prefix
	}
	return prefix
}

// foldable: a row with rows below it that begins a branch, or a root.
func foldable(o *session.Outline, i int) bool {
	r := o.Rows.At(i)
	if !r.Open {
		return true
	}
	below := i+1 < o.Rows.Len() && o.Rows.At(i+1).Up == int32(i)
	return below && (r.Connector || r.Up < 0)
}
