// Package visit records which sessions people open, star and mark as unread.
package visit

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"

	"sessiontree/internal/session"
	"sessiontree/internal/session/catalog"
	"sessiontree/internal/session/store"
	"sessiontree/internal/session/visits"
)

// Handlers serve the requests that record visits.
type Handlers struct {
	Store   *visits.Store
	Library *store.Library
	Catalog *catalog.Catalog
	Changed func() // called after a change of the list
	Log     *slog.Logger
}

// WithVisit returns a handler that records a visit after it served the page of a session.
func (h *Handlers) WithVisit(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		next(w, r)
		if r.Method == http.MethodGet && r.Header.Get("Sec-Purpose") == "" { // not a prefetch
			h.recordVisit(r)
		}
	}
}

// ServeVisit records that the viewer has seen what was added to the page of a session.
func (h *Handlers) ServeVisit(w http.ResponseWriter, r *http.Request) error {
	h.recordVisit(r)
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// recordVisit marks the session of a request as read, and those that are shown with it. The
// page is more important than the record, so errors are only logged.
func (h *Handlers) recordVisit(r *http.Request) {
	changed := false
	for _, s := range h.shownSessions(r) {
		now, err := h.Store.MarkRead(r.Context(), visits.KeyOf(s), visits.SeenOf(s))
		if err != nil {
			h.Log.Warn("a visit was not recorded", "err", err)
			return
		}
		changed = changed || now
	}
	if changed {
		h.Changed()
	}
}

// shownSessions returns the sessions on the page that a request is about.
func (h *Handlers) shownSessions(r *http.Request) []*catalog.Summary {
	key := chi.URLParam(r, "key")
	sum, ok := h.Catalog.FindByKey(key)
	if !ok {
		return nil
	}
	h.Catalog.UpdatePaths(r.Context(), sum.Path) // the page may be newer than the list
	if sum, ok = h.Catalog.FindByKey(key); !ok {
		return nil
	}
	var ids []string
	if sess, ok := h.Library.FindOpen(sum.Path); ok {
		sess.ReadTree(func(t *session.Tree, _ store.Revision) { ids = t.SessionIDs() })
	}
	shown := []*catalog.Summary{&sum}
	if len(ids) < 2 {
		return shown
	}
	for all := h.Catalog.Sessions(); len(all) > 0; all = all[1:] {
		if s := &all[0]; s.Format == sum.Format && s.ID != sum.ID && slices.Contains(ids, s.ID) {
			shown = append(shown, s)
		}
	}
	return shown
}

// ServeStar adds or removes the star of a session.
func (h *Handlers) ServeStar(w http.ResponseWriter, r *http.Request) error {
	return h.serveChange(w, r, func(s *catalog.Summary, on bool) error {
		return h.Store.SetStar(r.Context(), visits.KeyOf(s), on)
	})
}

// ServeUnread marks a session as unread or read.
func (h *Handlers) ServeUnread(w http.ResponseWriter, r *http.Request) error {
	return h.serveChange(w, r, func(s *catalog.Summary, on bool) error {
		if on {
			return h.Store.MarkUnread(r.Context(), visits.KeyOf(s))
		}
		_, err := h.Store.MarkRead(r.Context(), visits.KeyOf(s), visits.SeenOf(s))
		return err
	})
}

// serveChange applies the change that a form requests. It redirects a form of a page
// without script to the list.
func (h *Handlers) serveChange(w http.ResponseWriter, r *http.Request, change func(s *catalog.Summary, on bool) error) error {
	r.Body = http.MaxBytesReader(w, r.Body, 64<<10)
	if err := r.ParseForm(); err != nil {
		return fmt.Errorf("%w: the form cannot be read: %w", session.ErrInvalid, err)
	}
	on := r.PostForm.Get("on")
	if on != "0" && on != "1" {
		return fmt.Errorf("%w: on must be 0 or 1", session.ErrInvalid)
	}
	sum, ok := h.Catalog.FindByKey(chi.URLParam(r, "key"))
	if !ok {
		return fmt.Errorf("%w: no session %q", session.ErrNotFound, chi.URLParam(r, "key"))
	}
	if err := change(&sum, on == "1"); errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("%w: the state directory cannot be written to", session.ErrReadOnly)
	} else if err != nil {
		return err
	}
	h.Changed()
	if back := r.PostForm.Get("back"); back != "" {
		http.Redirect(w, r, ListAddress(back), http.StatusSeeOther)
		return nil
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// ListAddress returns an address of the list of sessions, never one elsewhere.
func ListAddress(back string) string {
	u, err := url.Parse(back)
	if err != nil || u.Path != "/" || u.IsAbs() || u.Host != "" || strings.HasPrefix(back, "//") {
		return "/"
	}
	return (&url.URL{Path: "/", RawQuery: u.RawQuery}).String()
}
