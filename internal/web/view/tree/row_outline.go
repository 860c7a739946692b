package tree

import (
	"strconv"
	"strings"

	"sessiontree/internal/session/outline"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// foldSignReplacer removes pi's fold signs from a prefix, because the row has a toggle of
// its own.
var foldSignReplacer = strings.NewReplacer("⊟", "─", "⊞", "─")

// fillOutlineRow fills in the outline layout: pi's texts, and indentation as text.
func (rb *rowBuilder) fillOutlineRow(m *components.RowModel, i int, r *outline.Row) {
	o := rb.s.Outline
	m.Tool, m.Node, m.Meta = "", "", ""
	m.Text = view.MarkSpans(view.OneLine(rb.s.Tree.RowText(r.Pos)), rb.words)
	m.Prefix = outlinePrefix(o, i)
	if r.ParentRow < 0 && !r.Open { // a root has only the sign, without a line
		m.Prefix = strings.TrimSuffix(m.Prefix, "─ ")
	}
	if o.Rows.At(0).Lane > 0 { // several roots have a common parent that is not shown
		m.Level--
	}
	if !isFoldableRow(o, i) {
		return
	}
	m.Expanded = 1
	if !r.Open {
		m.Expanded, m.Count = 0, int(r.Count)
	}
	m.Toggle = rb.s.Params.WithOpen(m.Entry, !r.Open).Href(rb.s.Base())
}

// maxIndentLevels limits the levels of indentation of a row. A deeper row shows the last
// levels after the number of those left out.
const maxIndentLevels = 8

func outlinePrefix(o *outline.Outline, i int) string {
	prefix, left := o.TruncatedPrefix(i, maxIndentLevels)
	prefix = foldSignReplacer.Replace(prefix)
	if left > 0 {
		return strconv.Itoa(left) + "… " + prefix
	}
	return prefix
}

// isFoldableRow reports whether a row has children and begins a branch or is a root.
func isFoldableRow(o *outline.Outline, i int) bool {
	r := o.Rows.At(i)
	if !r.Open {
		return true
	}
	below := i+1 < o.Rows.Len() && o.Rows.At(i+1).ParentRow == int32(i)
	return below && (r.Connector || r.ParentRow < 0)
}
