package view

import (
	"sessiontree/internal/session"
	"sessiontree/web/components"
)

// VisitRows makes the rows of an outline as they look in whatever view: which lanes
// run through them, what is viewed and where they lead is left to who shows them. A
// row that has a node has one lane cell, which holds it.
func (b *Builder) VisitRows(s Scene, fn func(r *session.Row, m components.RowModel) error) error {
	rb := rowBuilder{b: b, s: s, current: -1}
	rb.cwd = homePath(s.Tree.Header().Cwd, b.home) + "/"
	for i, row := range s.Outline.Rows.All() {
		r := *row
		r.OnPath, r.Hit = false, false
		m := rb.buildRow(i, &r)
		m.Index, m.Up, m.Selected, m.Href, m.Focus = 0, -1, false, "#", ""
		m.Lanes = []components.LaneCell{{}}
		if m.Toggle != "" {
			m.Toggle, m.Expanded = "#", 0
		}
		if err := fn(row, m); err != nil {
			return err
		}
	}
	return nil
}

// EmptyRowsModel says why an outline has no rows.
func (b *Builder) EmptyRowsModel(s Scene) components.RowsModel {
	m := components.RowsModel{Selected: -1}
	m.Empty, m.EmptyLink = emptyRowsText(s)
	return m
}

// VisitTicks marks prompts, forks, labels and compactions of the whole tree; Y is the
// position of the entry.
func (b *Builder) VisitTicks(s Scene, fn func(p session.Pos, t components.Tick)) {
	for i := range s.Tree.Len() {
		p := session.Pos(i)
		one := []session.Pos{p}
		for _, t := range b.buildTicks(s, one) {
			fn(p, t)
		}
	}
}
