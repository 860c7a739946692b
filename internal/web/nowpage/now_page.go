// Package nowpage serves the page of sessions that run, wait or have just finished.
package nowpage

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/a-h/templ"

	"sessiontree/internal/session"
	"sessiontree/internal/session/catalog"
	"sessiontree/internal/session/follow"
	"sessiontree/internal/web/view"
	"sessiontree/internal/web/view/now"
	"sessiontree/web/components"
)

// Handlers serve the page.
type Handlers struct {
	Catalog  *catalog.Catalog
	Follower *follow.Follower
	Formats  []*session.Format
	View     view.Config
	Clock    func() time.Time
	// PageModel returns what all pages have in common.
	PageModel func(r *http.Request, title string) components.Page
	// Render writes a component as a response.
	Render func(w http.ResponseWriter, r *http.Request, status int, c templ.Component) error
}

// ShowPage serves the page, for part=list without what is around the list.
func (h *Handlers) ShowPage(w http.ResponseWriter, r *http.Request) error {
	rev := h.Follower.ListRevision().String() // before the list is read: a concurrent change is notified again
	src := now.Source{
		Sessions: h.Catalog.Sessions(), Formats: h.Formats,
		CountTokens: func(path string) int64 { return h.Catalog.Ledger().Brief(path).Tokens },
	}
	m := now.PageModel(h.View, h.PageModel(r, "Now"), src, r.URL.Query().Get("agent"), h.Clock())
	m.Rev, m.Known = rev, knownRows(r.URL.Query().Get("known"))
	if p := h.Catalog.Progress(); !p.Complete {
		m.Reading = fmt.Sprintf("Reading %s", components.Pluralize(p.Files, "session", "sessions"))
	}
	w.Header().Set("Cache-Control", "no-store")
	switch part := r.URL.Query().Get("part"); part {
	case "":
		return h.Render(w, r, http.StatusOK, components.NowPage(m))
	case "list":
		return h.Render(w, r, http.StatusOK, components.NowList(m))
	default:
		return fmt.Errorf("%w: the page has no part %q", session.ErrInvalid, part)
	}
}

// knownRows returns the hashes of the rows that a browser has.
func knownRows(list string) map[string]bool {
	known := map[string]bool{}
	for hash := range strings.SplitSeq(list, ".") {
		known[hash] = true
	}
	return known
}
