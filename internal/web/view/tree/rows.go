package tree

import (
	"sessiontree/internal/session/outline"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// maxWindowHits limits the hits listed in a window.
const maxWindowHits = 1000

// RowsModel returns the window of at most n rows from index at.
func RowsModel(s view.Scene, at, n int) components.RowsModel {
	o := s.Outline
	at, end := o.WindowRange(at, n)
	m := components.RowsModel{
		Rev:      s.Rev,
		At:       at,
		Total:    o.Rows.Len(),
		Selected: o.Selected,
		Focus:    o.Selected,
		From:     at,
	}
	if s.Params.Query != "" {
		m.Hits = firstHits(o.Hits)
	}
	rb := rowBuilder{s: s, words: s.QueryWords(), current: lastPathRow(o)}
	rb.cwd = view.HomePath(s.Tree.Header().Cwd, s.Config.Home) + "/"
	m.Rows = make([]components.RowModel, 0, end-at)
	for i := at; i < end; i++ {
		m.Rows = append(m.Rows, rb.buildRow(i, o.Rows.At(i)))
	}
	if o.Rows.Len() == 0 {
		m.Empty, m.EmptyLink = emptyRowsText(s)
	}
	return m
}

// WindowAround returns the start of a window of n rows with row i near its middle.
func WindowAround(total, i, n int) int {
	return max(min(i-n/2, total-n), 0)
}

func firstHits(hits []int32) []int {
	out := make([]int, min(len(hits), maxWindowHits))
	for i := range out {
		out[i] = int(hits[i])
	}
	return out
}

// lastPathRow returns the index of the last row of the viewed path. It may be a branch row
// that is closed or shows the entry as its title.
func lastPathRow(o *outline.Outline) int {
	for i := o.Rows.Len() - 1; i >= 0; i-- {
		if r := o.Rows.At(i); r.OnPath && r.Kind != outline.RowFoldedGroup && r.Kind != outline.RowSessionHeader {
			return i
		}
	}
	return -1
}

func emptyRowsText(s view.Scene) (string, *components.Link) {
	switch {
	case s.Tree.Len() == 0:
		return "This session has no entries yet.", nil
	case s.Tree.EntryCount() == 0 && s.Params.Filter != outline.FilterAll:
		return "No messages in this session yet.", showAllLink(s)
	case s.Params.Query != "":
		return "No entry matches “" + view.EscapeInvisible(s.Params.Query) + "”.",
			&components.Link{Text: "Clear the search", Href: s.Params.WithQuery("").Href(s.Base())}
	case s.Params.Filter == outline.FilterLabeledOnly && len(s.Tree.Labels()) == 0:
		return "No labels in this session.", showAllLink(s)
	case s.Params.Filter == outline.FilterUserOnly:
		return "No prompts in this session.", showAllLink(s)
	}
	return "The filter “" + filterTexts[s.Params.Filter] + "” hides " + allEntriesText(s.Tree.EntryCount()) + ".", showAllLink(s)
}

func allEntriesText(n int) string {
	if n == 1 {
		return "the only entry"
	}
	return "all " + components.Pluralize(n, "entry", "entries")
}

func showAllLink(s view.Scene) *components.Link {
	return &components.Link{Text: "Show all entries", Href: s.Params.WithFilter(outline.FilterAll).Href(s.Base())}
}
