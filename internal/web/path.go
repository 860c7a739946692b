package web

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"

	"sessiontree/internal/session"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// servePath serves a page of the viewed path, or 205 if the entry it refers to is no longer
// on the path.
func (s *Server) servePath(w http.ResponseWriter, r *http.Request) error {
	sess, p, err := s.parseSessionView(r)
	if err != nil {
		return err
	}
	q := r.URL.Query()
	n, err := parseQueryCount(q, "n", 0)
	if err != nil {
		return err
	}
	want := view.PathQuery{Around: q.Get("around"), Before: q.Get("before"), After: q.Get("after"), N: n}
	m, err := s.loader.PathModel(r.Context(), sess, p, want, s.now())
	if err != nil {
		return writeResetContent(w, q, err)
	}
	live := strconv.FormatBool(sess.ShowsLive(s.now()))
	if s.checkNotModified(w, r, cachePolicy(q, m.Rev), "path", sess.Key(), m.Rev, live, r.URL.RawQuery) {
		return nil
	}
	return s.renderComponent(w, r, http.StatusOK, components.PathItems(m))
}

// writeResetContent responds with 205 if a fragment was requested relative to an entry that
// is no longer on the path or in the file. The page then requests it again without the
// entry. It returns any other error.
func writeResetContent(w http.ResponseWriter, q url.Values, err error) error {
	near := q.Get("around") + q.Get("before") + q.Get("after")
	if near == "" || !errors.Is(err, session.ErrNotFound) {
		return err
	}
	w.Header().Set("Cache-Control", cacheNever)
	w.WriteHeader(http.StatusResetContent)
	return nil
}
