package results

import (
	"strings"
	"unicode/utf8"

	"sessiontree/internal/session/catalog"
	"sessiontree/internal/session/query"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// PageModel returns the model of the page for a query, which may be nil if its text is not
// valid.
func PageModel(c view.Config, page components.Page, sessions []catalog.Summary, text, zone string, q *query.Query) components.SearchModel {
	m := components.SearchModel{
		Page: page, Query: text, Sessions: len(sessions), Zone: zone,
		Facets: FacetModels(c, sessions, q), Labels: LabelValues(sessions),
	}
	if text != "" {
		m.Title = "Search: " + view.OneLine(text)
	}
	return m
}

// HitsText returns how many hits there are, in words.
func HitsText(hits, sessions int) string {
	return components.Pluralize(hits, "hit", "hits") + " in " + components.Pluralize(sessions, "session", "sessions")
}

// ProblemModel returns what is wrong with a query.
func ProblemModel(text string, e *query.Error) components.SearchProblem {
	token := text[e.Token.Start:e.Token.End]
	p := components.SearchProblem{Title: "Unknown filter value", Shown: view.OneLine(token)}
	reason := view.OneLine(e.Reason)
	if reason != "" {
		p.Reason = strings.ToUpper(reason[:1]) + reason[1:] + "."
	}
	value := e.Token.Value
	switch e.Token.Key {
	case "re":
		before := "re:" + value[:min(e.Offset, len(value))]
		p.Title, p.Shown = "Invalid regular expression", view.EscapeInvisible("re:"+value)
		p.Caret = strings.Repeat(" ", utf8.RuneCountInString(view.EscapeInvisible(before))) + "^"
	case "":
		p.Title = "Too much to search for"
	}
	if e.Token.Key != "" && value != "" {
		p.AsText = text[:e.Token.Start] + query.Quote(value) + text[e.Token.End:]
	}
	return p
}
