package view

import (
	"strings"

	"sessiontree/internal/session"
	"sessiontree/web/components"
)

// outline fills what the outline layout shows otherwise: pi's own words, and
// indentation drawn as text, three columns a level.
func (rb *rowBuilder) outline(m *components.RowModel, i int, r *session.Row) {
	m.Tool, m.Node, m.Meta = "", "", ""
	m.Text = spans(oneLine(rb.s.Tree.RowText(r.Pos)), rb.words)
	foldable := rb.foldable(i, r)
	m.Prefix = prefix(r, foldable)
	if !foldable {
		return
	}
	m.Expanded = 1
	if !r.Open {
		m.Expanded, m.Count = 0, int(r.Count)
	}
	m.Toggle = rb.s.Params.WithOpen(m.Entry, !r.Open).Href(rb.s.Base())
}

// foldable: a row with rows below it that hang on it alone, by pi's rule the
// first of a segment.
func (rb *rowBuilder) foldable(i int, r *session.Row) bool {
	if !r.Open {
		return true
	}
	rows := rb.s.Outline.Rows
	if i+1 >= len(rows) {
		return false
	}
	if r.Connector {
		return rows[i+1].Lane > r.Lane
	}
	return r.Up < 0 && r.Nth > 0 && isRoot(rb.s.Outline, i) && !isRoot(rb.s.Outline, i+1)
}

// isRoot: roots stand at the margin without a connector, the first one first and
// the others behind a rule.
func isRoot(o *session.Outline, i int) bool {
	return i == 0 || o.Rows[i].Rule
}

// prefix draws gutters, connector and fold sign.
func prefix(r *session.Row, foldable bool) string {
	var b strings.Builder
	for level := range int(r.Lane) {
		if r.Connector && level == int(r.Lane)-1 {
			b.WriteString(connector(r, foldable))
			continue
		}
		b.WriteString(gutter(r, level))
	}
	if !r.Connector && !r.Open {
		b.WriteString("⊞ ")
	}
	return b.String()
}

func connector(r *session.Row, foldable bool) string {
	line := "├"
	if r.IsLast {
		line = "└"
	}
	switch {
	case !r.Open:
		return line + "⊞ "
	case foldable:
		return line + "⊟ "
	}
	return line + "─ "
}

func gutter(r *session.Row, level int) string {
	for _, g := range r.Gutters {
		if g.Position == level && g.Show {
			return "│  "
		}
	}
	return "   "
}
