package tree

import (
	"sessiontree/internal/session"
	"sessiontree/internal/session/outline"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// VisitRows calls fn with the rows of an outline and a function that builds the row's model
// without what depends on the view: place, lanes that pass through, the selection and links.
// A row with a node has a single lane cell for it.
func VisitRows(s view.Scene, fn func(r *outline.Row, build func() components.RowModel) error) error {
	rb := rowBuilder{s: s, current: -1}
	rb.cwd = view.HomePath(s.Tree.Header().Cwd, s.Config.Home) + "/"
	for _, row := range s.Outline.Rows.All() {
		if err := fn(row, func() components.RowModel { return rb.buildStandaloneRow(row) }); err != nil {
			return err
		}
	}
	return nil
}

func (rb *rowBuilder) buildStandaloneRow(row *outline.Row) components.RowModel {
	r := *row
	r.OnPath, r.Hit = false, false
	m := rb.buildRow(0, &r)
	m.Index, m.Up, m.Selected, m.Href, m.Focus = 0, -1, false, "#", ""
	m.Level, m.Set, m.Nth = 0, 0, 0
	m.Lanes = []components.LaneCell{{}}
	if m.Toggle != "" {
		m.Toggle, m.Expanded = "#", 0
	}
	return m
}

// EmptyRowsModel returns the model of an outline without rows, with the reason.
func EmptyRowsModel(s view.Scene) components.RowsModel {
	m := components.RowsModel{Selected: -1}
	m.Empty, m.EmptyLink = emptyRowsText(s)
	return m
}

// VisitTicks calls fn with the ticks of the whole tree and the position of each tick's
// entry.
func VisitTicks(s view.Scene, fn func(p session.Pos, t components.Tick)) {
	for i := range s.Tree.Len() {
		p := session.Pos(i)
		one := []session.Pos{p}
		for _, class := range tickClasses(s.Tree, p) {
			fn(p, buildTick(s, rulerMark{0, class}, one))
		}
	}
}

// tickClasses lists what an entry is marked as.
func tickClasses(t *session.Tree, p session.Pos) (classes []string) {
	kind := t.At(p).Kind
	if kind == session.KindUser {
		classes = append(classes, "prompt")
	}
	if _, ok := t.Label(p); ok {
		classes = append(classes, "label")
	}
	if view.HasSwitcher(t, p) {
		classes = append(classes, "fork")
	}
	if kind == session.KindCompaction {
		classes = append(classes, "compaction")
	}
	if t.Traits(p).HasAny(session.TraitFailed) {
		classes = append(classes, "failed")
	}
	return classes
}
