package dialog

import (
	"net/url"

	"sessiontree/internal/session"
	"sessiontree/internal/session/branchlist"
	"sessiontree/internal/session/spend"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// CompareBranches compares the branches that begin with two entries, from where they split
// to their newest leaves.
func (c ChangeView) CompareBranches(a, b session.Pos) components.CompareModel {
	m := components.CompareModel{Page: c.Page, Back: c.backLink("")}
	m.Page.Title, m.Page.Live = "Compare branches, "+view.SessionName(c.Tree), ""
	leafA, leafB := c.Tree.Subtrees().NewestLeaf(a), c.Tree.Subtrees().NewestLeaf(b)
	compared := branchlist.ComparePaths(c.Tree, spend.ReadSheet(c.Tree, c.Config.PriceTable(), c.Owned), leafA, leafB)
	m.A, m.B = c.compareSide(a, leafA), c.compareSide(b, leafB)
	m.Shared = components.Pluralize(compared.Shared, "entry", "entries")
	if at := nearestMessage(c.Tree, compared.Ancestor); at != session.NoPos {
		m.Ancestor = &components.Link{Text: entryPhrase(c.Tree, at, 80), Href: c.backLink(c.Tree.At(at).ID).Href}
	}
	m.Rows = compareRows(&compared.A, &compared.B)
	m.LastA, m.LastB = c.Config.MillisModel(compared.A.Time), c.Config.MillisModel(compared.B.Time)
	return m
}

func (c ChangeView) compareSide(head, leaf session.Pos) components.CompareSide {
	s := components.CompareSide{Name: view.BranchTitle(c.Tree, head), Href: c.sessionHref() + "?leaf=" + url.QueryEscape(c.Tree.At(leaf).ID)}
	if leaf == c.Tree.Leaf() {
		s = components.CompareSide{Name: "Current path", Href: c.sessionHref(), Current: true}
	}
	return s
}

// compareRows returns a row for each number that one of the sides has.
func compareRows(a, b *branchlist.PathFacts) (rows []components.CompareRow) {
	add := func(name string, x, y float64, format func(float64) string) {
		if x == 0 && y == 0 {
			return
		}
		larger := max(x, y)
		rows = append(rows, components.CompareRow{Name: name, A: format(x), B: format(y), ShareA: int(1000 * x / larger), ShareB: int(1000 * y / larger)})
	}
	count := func(name string, x, y int) {
		add(name, float64(x), float64(y), func(n float64) string { return components.FormatCount(int(n)) })
	}
	count("Entries", a.Entries, b.Entries)
	count("Prompts", a.Prompts, b.Prompts)
	count("Answers", a.Answers, b.Answers)
	count("Tool calls", a.Calls, b.Calls)
	count("Failed", a.Failed, b.Failed)
	count("Lines added", a.Added, b.Added)
	count("Lines removed", a.Removed, b.Removed)
	add("Tokens", float64(a.Tokens), float64(b.Tokens), func(n float64) string { return view.FormatTokens(int64(n)) })
	add("Cost", a.Cost, b.Cost, func(n float64) string {
		if n == 0 {
			return "–"
		}
		return view.FormatDollars(n)
	})
	return rows
}
