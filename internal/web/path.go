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

// servePath answers a page of the viewed path; 205 when the entry it is to lie by is
// not on the path any more.
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
	m, err := s.builder.PathModel(r.Context(), sess, p, want, s.now())
	if err != nil {
		return writeResetContent(w, q, err)
	}
	live := strconv.FormatBool(sess.ShowsLive(s.now()))
	if s.checkNotModified(w, r, cachePolicy(q, m.Rev), "path", sess.Key(), m.Rev, live, r.URL.RawQuery) {
		return nil
	}
	return s.renderComponent(w, r, http.StatusOK, components.PathItems(m))
}

// writeResetContent answers 205 when a fragment was asked for by an entry that is not where
// the page left it, because the path goes elsewhere now or the file was rewritten:
// the page asks again without it. Any other error is passed on.
func writeResetContent(w http.ResponseWriter, q url.Values, err error) error {
	near := q.Get("around") + q.Get("before") + q.Get("after")
	if near == "" || !errors.Is(err, session.ErrNotFound) {
		return err
	}
	w.Header().Set("Cache-Control", cacheNever)
	w.WriteHeader(http.StatusResetContent)
	return nil
}
