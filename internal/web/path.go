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

// path answers a page of the viewed path; 205 when the entry it is to lie by is
// not on the path any more.
func (s *Server) path(w http.ResponseWriter, r *http.Request) error {
	sess, p, err := s.viewed(r)
	if err != nil {
		return err
	}
	q := r.URL.Query()
	n, err := number(q, "n", 0)
	if err != nil {
		return err
	}
	want := view.PathQuery{Around: q.Get("around"), Before: q.Get("before"), After: q.Get("after"), N: n}
	m, err := s.builder.Path(r.Context(), sess, p, want, s.now())
	if err != nil {
		return reset(w, q, err)
	}
	live := strconv.FormatBool(sess.Growing(s.now()))
	if s.fresh(w, r, keepFor(q, m.Rev), "path", sess.Key(), m.Rev, live, r.URL.RawQuery) {
		return nil
	}
	return s.render(w, r, http.StatusOK, components.PathItems(m))
}

// reset answers 205 when a fragment was asked for by an entry that is not where
// the page left it, because the path goes elsewhere now or the file was rewritten:
// the page asks again without it. Any other error is passed on.
func reset(w http.ResponseWriter, q url.Values, err error) error {
	near := q.Get("around") + q.Get("before") + q.Get("after")
	if near == "" || !errors.Is(err, session.ErrNotFound) {
		return err
	}
	w.Header().Set("Cache-Control", keepNot)
	w.WriteHeader(http.StatusResetContent)
	return nil
}
