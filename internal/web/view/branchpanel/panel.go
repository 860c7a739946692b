package branchpanel

import (
	"fmt"
	"net/url"
	"slices"

	"sessiontree/internal/session"
	"sessiontree/internal/session/branchlist"
	"sessiontree/internal/session/outline"
	"sessiontree/internal/session/spend"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// maxPlainRows is the number of rows up to which a page contains all of them.
const maxPlainRows = 400

// firstWindowRows is the number of rows in the page of a longer list.
const firstWindowRows = 100

// PanelModel returns the list of branches. can tells whether the leaf can be moved.
func PanelModel(s view.Scene, p Params, can session.Capabilities) components.BranchPanelModel {
	l := newList(s, p)
	n := firstWindowRows
	if len(l.order) <= maxPlainRows {
		n = len(l.order)
	}
	m := components.BranchPanelModel{
		Title: "Branches, " + view.SessionName(s.Tree), Base: panelBase(s), Close: s.Params.Href(s.Base()), Find: p.Find,
		Search: s.Params.WithQuery(p.Find).WithFilter(outline.FilterAll).Href(s.Base()),
		Rows:   l.window(0, n, can), Plain: n == len(l.order),
	}
	l.addTotals(&m)
	l.addCounts(&m)
	for _, c := range columns {
		m.Columns = append(m.Columns, p.columnModel(s, c))
	}
	for _, c := range shows {
		to := p
		to.Show = c.name
		m.Shows = append(m.Shows, components.Chip{Name: c.name, Text: c.text, Count: -1, On: p.Show == c.name, Href: to.href(s)})
	}
	m.Hidden = hiddenFields(s, p)
	return m
}

// columnModel returns the header of a column. It sorts by the column, or in the other
// direction.
func (p Params) columnModel(s view.Scene, c column) components.BranchColumn {
	m := components.BranchColumn{Name: c.name, Text: c.text}
	to := p
	to.Sort, to.Ascending = c.name, c.ascending
	if p.Sort == c.name {
		m.Sort = map[bool]string{true: "ascending", false: "descending"}[p.Ascending]
		to.Ascending = !p.Ascending
	}
	m.Href = to.href(s)
	return m
}

// hiddenFields returns the parameters that the form of the filter preserves.
func hiddenFields(s view.Scene, p Params) (fields []components.Pair) {
	p.Find = ""
	for _, values := range []url.Values{s.Params.Values(), p.values()} {
		for name, list := range values {
			for _, v := range list {
				fields = append(fields, components.Pair{Name: name, Value: v})
			}
		}
	}
	slices.SortFunc(fields, func(a, b components.Pair) int {
		return slices.Compare([]string{a.Name, a.Value}, []string{b.Name, b.Value})
	})
	return fields
}

func (l *list) addTotals(m *components.BranchPanelModel) {
	t := branchlist.SumBranches(l.branches)
	m.SessionCost, m.PathCost = costText(&t.Session), costText(&t.Path)
	m.LeftCost, m.AgentCost = costText(&t.OffPath), costText(&t.SubAgents)
	if t.OffPath.Cost > 0 {
		m.LeftShare = fmt.Sprintf("%.0f%%", 100*t.OffPath.Cost/t.Session.Cost)
	}
}

// addCounts counts branches and sub-agents apart.
func (l *list) addCounts(m *components.BranchPanelModel) {
	for i := range l.branches {
		switch l.branches[i].Kind {
		case branchlist.Abandoned:
			m.Total++
		case branchlist.SubAgent:
			m.Agents++
		}
	}
}

// costText writes a cost: "" for none, "-" if no request has a price.
func costText(s *spend.EntrySpend) string {
	if s.Cost == 0 && s.Unpriced > 0 {
		return "-"
	}
	return view.FormatDollars(s.Cost)
}

// RowsModel returns n rows from an index on.
func RowsModel(s view.Scene, p Params, at, n int, can session.Capabilities) components.BranchRowsModel {
	return newList(s, p).window(at, n, can)
}

func (l *list) window(at, n int, can session.Capabilities) components.BranchRowsModel {
	at = min(at, len(l.order))
	m := components.BranchRowsModel{Rev: l.scene.Rev, At: at, Total: len(l.order), Count: len(l.branches)}
	longest := 1
	for i := range l.branches {
		longest = max(longest, l.branches[i].End)
	}
	for i := at; i < min(at+n, len(l.order)); i++ {
		r := l.row(l.order[i], longest, can)
		r.Index = i
		m.Rows = append(m.Rows, r)
	}
	return m
}

// row returns the row of a branch. longest is the number of steps of the longest path.
func (l *list) row(i int32, longest int, can session.Capabilities) components.BranchRow {
	t, b, words := l.scene.Tree, &l.branches[i], view.SplitQuery(l.params.Find)
	r := components.BranchRow{
		Name: l.title(i), Text: view.MarkSpans(l.title(i), words), Label: view.MarkSpans(l.label(i), words), Current: b.Kind == branchlist.Current,
		From: 1000 * b.Start / longest, To: 1000 * b.End / longest,
		Entries: components.FormatCount(b.Entries), Cost: costText(&b.EntrySpend), Time: l.scene.Config.MillisModel(b.Time),
	}
	if b.Tokens > 0 {
		r.Tokens = view.FormatTokens(b.Tokens)
	}
	if b.Head != session.NoPos {
		r.Head = t.At(b.Head).ID
		r.ID = view.DomID("br-", r.Head)
	}
	switch {
	case r.Current:
		r.Class, r.Label, r.Href = "now", nil, l.scene.Params.FollowLeaf().Href(l.scene.Base())
		return r
	case b.Kind == branchlist.SubAgent:
		r.Class, r.Tag = "agent", "sub-agent"
	case b.Archived:
		r.Class, r.Tag = "left", "archived"
	default:
		r.Class, r.Tag = "left", "abandoned"
		if can.Branch.IsPossible() {
			r.Switch = l.scene.Base() + "/switch?entry=" + url.QueryEscape(t.At(t.Subtrees().NewestLeaf(b.Head)).ID)
		}
	}
	r.Href = l.scene.BranchHref(b.Head)
	return r
}
