package components

import (
	"context"
	"io"
	"net/url"
	"strings"

	"github.com/a-h/templ"
)

// sitePages are the pages outside of a session.
var sitePages = []struct{ Name, Text, Href string }{
	{"sessions", "Sessions", "/"},
	{"search", "Search", "/search"},
	{"spend", "Spend", "/spend"},
}

// markedText is a text with marks, and without white space between its parts.
func markedText(parts []HitText) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		var b strings.Builder
		for _, p := range parts {
			text := templ.EscapeString(p.Text)
			if p.Mark {
				text = "<mark>" + text + "</mark>"
			}
			b.WriteString(text)
		}
		_, err := io.WriteString(w, b.String())
		return err
	})
}

// searchHref returns the address of a search over all sessions.
func searchHref(query string) string { return "/search?q=" + url.QueryEscape(query) }

// searchOperatorList returns what narrows a search, with examples. zone is that of dates.
func searchOperatorList(zone string) []Pair {
	return []Pair{
		{Name: `"two words"`, Value: "exact phrase"},
		{Name: `re:fs\.watch(File)?`, Value: "regular expression"},
		{Name: "role:prompt", Value: "prompt, answer, thinking, input, output, summary, label"},
		{Name: "tool:bash", Value: "a tool by name"},
		{Name: "label:", Value: "labeled entries"},
		{Name: "is:failed", Value: "failed tool calls"},
		{Name: "is:abandoned", Value: "branches you left; also current, sub-agent, live"},
		{Name: "agent:claude", Value: "pi, omp, claude, wave"},
		{Name: "project:pi-mono", Value: "folder name"},
		{Name: "after:2026-10-01", Value: "or before:, time zone " + zone},
	}
}
