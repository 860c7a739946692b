// Package searchpage serves the page that searches all sessions, and its results as they
// are found.
package searchpage

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/a-h/templ"
	"github.com/go-chi/chi/v5"

	"sessiontree/internal/session"
	"sessiontree/internal/session/query"
	"sessiontree/internal/session/searchall"
	"sessiontree/internal/session/visits"
	"sessiontree/internal/web/view"
	"sessiontree/internal/web/view/results"
	"sessiontree/web/components"
)

// maxQueryBytes limits the length of a query.
const maxQueryBytes = 2000

// maxPlainResults is the number of sessions that a page without script lists.
const maxPlainResults = 100

// Handlers serve the search over all sessions.
type Handlers struct {
	Searcher searchall.Searcher
	Visits   *visits.Store
	View     view.Config
	Clock    func() time.Time
	Log      *slog.Logger
	// FindOld returns a function that reports whether a session, by its path and its last activity,
	// is so old that only its texts are searched. nil: no session is.
	FindOld func(now time.Time) (isOld func(path string, active time.Time) bool, err error)
	// PageModel returns what all pages have in common.
	PageModel func(r *http.Request, title string) components.Page
	// Render writes a component as a response.
	Render func(w http.ResponseWriter, r *http.Request, status int, c templ.Component) error
}

// request is a parsed request.
type request struct {
	text  string
	query *query.Query // nil if the text is not valid
	err   *query.Error
	all   bool // all of old sessions is searched too
	now   time.Time
}

// parseRequest parses the query of a request.
func (h *Handlers) parseRequest(r *http.Request) (*request, error) {
	q := &request{text: strings.TrimSpace(strings.ToValidUTF8(r.URL.Query().Get("q"), "\uFFFD")), all: r.URL.Query().Get("all") != "", now: h.View.InZone(h.Clock())}
	if len(q.text) > maxQueryBytes {
		return nil, fmt.Errorf("%w: a query may have %d bytes", session.ErrInvalid, maxQueryBytes)
	}
	var err error
	q.query, err = query.Parse(q.text, q.now)
	if err != nil && !errors.As(err, &q.err) {
		return nil, err
	}
	return q, nil
}

func (h *Handlers) newBuilder(q *request) results.Builder {
	return results.Builder{View: h.View, Text: q.text, Query: q.query, All: q.all, Now: q.now}
}

// newSearcher returns the searcher for a request.
func (h *Handlers) newSearcher(q *request) (searchall.Searcher, error) {
	s := h.Searcher
	s.Now, s.TitleOfFormat, s.IsStarred = q.now, h.View.TitleOfFormat, h.Visits.Snapshot().IsStarred
	if h.FindOld == nil || q.all {
		return s, nil
	}
	var err error
	s.OnlyTexts, err = h.FindOld(q.now)
	return s, err
}

// ShowPage serves the page. The script requests the results; plain=1 includes them for
// browsers without script.
func (h *Handlers) ShowPage(w http.ResponseWriter, r *http.Request) error {
	q, err := h.parseRequest(r)
	if err != nil {
		return err
	}
	m := results.PageModel(h.View, h.PageModel(r, "Search"), h.Searcher.Catalog.Sessions(), q.text, q.now.Format("MST"), q.query)
	m.Live = "" // nothing on the page follows files
	switch {
	case q.err != nil:
		p := results.ProblemModel(q.text, q.err)
		m.Problem = &p
	case q.query.IsEmpty():
	case r.URL.Query().Get("plain") != "":
		if err := h.addPlainResults(r.Context(), &m, q); err != nil {
			return err
		}
	default:
		m.PlainHref = r.URL.Path + "?" + r.URL.Query().Encode() + "&plain=1"
	}
	w.Header().Set("Cache-Control", "no-store")
	return h.Render(w, r, http.StatusOK, components.SearchPage(m))
}

// errEnough ends a search early.
var errEnough = errors.New("enough results")

// addPlainResults adds the newest results to a page.
func (h *Handlers) addPlainResults(ctx context.Context, m *components.SearchModel, q *request) error {
	s, err := h.newSearcher(q)
	if err != nil {
		return err
	}
	b, hits, left := h.newBuilder(q), 0, 0
	err = s.Search(ctx, q.query, func(e searchall.Event) error {
		left = e.Progress.OnlyTexts
		if e.Result == nil || len(e.Result.Hits) == 0 {
			return nil
		}
		hits += len(e.Result.Hits)
		m.Results = append(m.Results, b.AllHits(e.Result))
		if len(m.Results) == maxPlainResults {
			return errEnough
		}
		return nil
	})
	m.HitsText = results.HitsText(hits, len(m.Results))
	if left > 0 {
		m.OnlyTexts, m.AllHref = left, "/search?plain=1&all=1&q="+url.QueryEscape(q.text)
	}
	if errors.Is(err, errEnough) {
		m.HitsText += ", the newest ones"
		return nil
	}
	return err
}

// ShowSessionHits serves all hits of one session, as a fragment.
func (h *Handlers) ShowSessionHits(w http.ResponseWriter, r *http.Request) error {
	q, err := h.parseRequest(r)
	switch {
	case err != nil:
		return err
	case q.err != nil:
		return fmt.Errorf("%w: %w", session.ErrInvalid, q.err)
	}
	key := chi.URLParam(r, "key")
	if _, ok := h.Searcher.Catalog.FindByKey(key); !ok {
		return fmt.Errorf("%w: session %q", session.ErrNotFound, key)
	}
	s, err := h.newSearcher(q)
	if err != nil {
		return err
	}
	b := h.newBuilder(q)
	s.OnlyKey = key
	var found templ.Component = templ.NopComponent
	err = s.Search(r.Context(), q.query, func(e searchall.Event) error {
		if e.Result != nil && len(e.Result.Hits) > 0 {
			found = components.SearchResultGroup(b.AllHits(e.Result))
		}
		return nil
	})
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "no-store")
	return h.Render(w, r, http.StatusOK, found)
}
