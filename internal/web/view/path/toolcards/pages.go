package toolcards

import (
	"net/url"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/rowtext"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

const (
	maxPages    = 200 // pages shown of a search
	maxURLBytes = 2000
)

// Pages returns what a search of the web found. Only addresses of web pages become links.
func Pages(list []session.WebLink) []components.FoundPage {
	out := make([]components.FoundPage, 0, min(len(list), maxPages))
	for _, l := range list[:min(len(list), maxPages)] {
		p := components.FoundPage{Title: view.OneLine(rowtext.Cut(l.Title, 200))}
		u, err := url.Parse(l.URL)
		if err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" && len(l.URL) <= maxURLBytes {
			p.Href, p.Host = u.String(), view.OneLine(strings.TrimPrefix(u.Hostname(), "www."))
		}
		if p.Title == "" {
			p.Title = view.OneLine(rowtext.Cut(l.URL, 200))
		}
		out = append(out, p)
	}
	return out
}
