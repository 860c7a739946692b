package index

import (
	"cmp"
	"slices"
	"time"

	"sessiontree/internal/session/catalog"
	"sessiontree/internal/session/visits"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// listWindow is the range of rows to build, from index at up to end.
type listWindow struct {
	at, end int
	open    bool // open folded rows, because they match a query
}

// endsIn reports whether the line after the first n rows is in the window.
func (w listWindow) endsIn(n int) bool { return (n > w.at || w.at == 0) && n <= w.end }

// rowBuilder builds the groups and rows of a list.
type rowBuilder struct {
	config   view.Config
	lineage  lineage
	calendar calendar
	byDate   bool
	visits   visits.Snapshot
	keep     KeepState
}

func newRowBuilder(c view.Config, l LibraryState, p Params, now time.Time) *rowBuilder {
	return &rowBuilder{config: c, lineage: newLineage(l.Sessions), calendar: newCalendar(now), byDate: p.IsByDate(), visits: l.Visits, keep: l.Keep}
}

// sessionGroup is the sessions of a group, those with a row and the folded ones.
type sessionGroup struct{ rows, folded []*catalog.Summary }

// buildGroups groups sessions and builds the rows of a window. Folded sessions are one line
// at the end of their group. By project, groups are in the order of their first sessions,
// and those with folded sessions only come last.
func (b *rowBuilder) buildGroups(list, folded []*catalog.Summary, w listWindow) (groups []components.SessionGroup) {
	i := 0
	for _, own := range b.groupSessions(list, folded) {
		g := b.newGroup(own)
		cost := 0.0
		for _, s := range own.rows {
			cost += s.Cost
			if i >= w.at && i < w.end {
				g.Rows = append(g.Rows, b.buildRow(s))
			}
			i++
		}
		g.Cost = view.FormatDollars(cost)
		if len(own.folded) > 0 && w.endsIn(i) {
			g.Folded = b.buildFoldedRows(own.folded, w.open)
		}
		if len(g.Rows) > 0 || g.Folded.Text != "" {
			groups = append(groups, g)
		}
	}
	return groups
}

// groupSessions groups sessions by working directory or period.
func (b *rowBuilder) groupSessions(list, folded []*catalog.Summary) (groups []*sessionGroup) {
	at := map[string]*sessionGroup{}
	groupOf := func(s *catalog.Summary) *sessionGroup {
		key := s.Cwd
		if b.byDate {
			key = b.calendar.periodOf(s.Modified).id
		}
		g := at[key]
		if g == nil {
			g = &sessionGroup{}
			at[key] = g
			groups = append(groups, g)
		}
		return g
	}
	for _, s := range list {
		g := groupOf(s)
		g.rows = append(g.rows, s)
	}
	for _, s := range folded {
		g := groupOf(s)
		g.folded = append(g.folded, s)
	}
	if b.byDate {
		slices.SortStableFunc(groups, func(x, y *sessionGroup) int { return y.first().Modified.Compare(x.first().Modified) })
	}
	return groups
}

func (g *sessionGroup) first() *catalog.Summary {
	if len(g.rows) > 0 {
		return g.rows[0]
	}
	return g.folded[0]
}

// newGroup returns a group without rows.
func (b *rowBuilder) newGroup(own *sessionGroup) components.SessionGroup {
	s := own.first()
	if b.byDate {
		p := b.calendar.periodOf(s.Modified)
		return components.SessionGroup{ID: p.id, Name: p.name, Detail: p.detail, Sessions: len(own.rows)}
	}
	cwd := view.EscapeInvisible(view.HomePath(s.Cwd, b.config.Home))
	return components.SessionGroup{ID: cwd, Name: b.projectName(s), Detail: cwd, IsProject: true, Sessions: len(own.rows)}
}

func (b *rowBuilder) projectName(s *catalog.Summary) string {
	return cmp.Or(view.EscapeInvisible(view.LastPathElement(s.Cwd)), "No folder")
}

// lastRowAnchor returns the URL fragment of the last row.
func lastRowAnchor(groups []components.SessionGroup) string {
	for _, g := range slices.Backward(groups) {
		if n := len(g.Rows); n > 0 {
			return "#s-" + g.Rows[n-1].Key
		}
	}
	return ""
}
