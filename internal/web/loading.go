package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"

	"github.com/go-chi/chi/v5"

	"sessiontree/internal/session"
	"sessiontree/internal/session/catalog"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// quickSize is the size of a file that is read before a browser would have shown
// anything else.
const quickSize = 5 << 20

// paramWait asks for the whole page, however long its session takes to be read.
const paramWait = "wait"

// loadsFirst reports whether a browser asks for a session that has to be read and
// is large: it is told so while it waits. Programs get the page itself, later.
func (s *Server) loadsFirst(r *http.Request) (catalog.Summary, bool) {
	if r.URL.Query().Has(paramWait) || !wantsPage(r) {
		return catalog.Summary{}, false
	}
	sum, ok := s.catalog.Find(chi.URLParam(r, "key"))
	if !ok || sum.Size < quickSize {
		return sum, false
	}
	_, open := s.library.Opened(sum.Path)
	return sum, !open
}

// loadingPage begins to read a session and answers at once with a page that
// fetches the whole one, and shows how far it is until then.
func (s *Server) loadingPage(w http.ResponseWriter, r *http.Request, sum *catalog.Summary) error {
	s.load(sum.Path)
	m := s.builder.Loading(sum, s.page(r, ""))
	m.Session.Whole = wholeURL(r.URL)
	w.Header().Set("Cache-Control", keepNot)
	return s.render(w, r, http.StatusOK, components.LoadingPage(m))
}

// load reads a session in the background. Whoever asks for it meanwhile waits for
// this reading, and is told when it fails.
func (s *Server) load(path string) {
	if !s.work.add() {
		return
	}
	go func() {
		defer s.work.done()
		if _, err := s.library.Open(s.ctx, path); err != nil {
			s.log.Debug("load", "path", path, "err", err)
		}
	}()
}

// wholeURL is the address of the whole page in the same view.
func wholeURL(u *url.URL) string {
	q := u.Query()
	q.Set(paramWait, "1")
	return (&url.URL{Path: u.Path, RawPath: u.RawPath, RawQuery: q.Encode()}).String()
}

// loading tells a page that waits how much of its session is read.
func (s *Server) loading(w http.ResponseWriter, r *http.Request) error {
	key := chi.URLParam(r, "key")
	sum, ok := s.catalog.Find(key)
	if !ok {
		return fmt.Errorf("%w: no session %q", session.ErrNotFound, key)
	}
	text := ""
	if p, ok := s.library.Loading(sum.Path); ok {
		text = view.ReadText(p.Read, p.Size)
	}
	w.Header().Set("Cache-Control", keepNot)
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]string{"text": text}) // the reader may have left
	return nil
}

// firstEntries is how many entries of the path a page begins with, 0 as usual.
// After a long reading few are laid out before the rows are painted; script asks
// for more right after.
func firstEntries(r *http.Request) int {
	if r.URL.Query().Has(paramWait) {
		return 16
	}
	return 0
}
