package web

import (
	"net/http"
	"strconv"

	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// path answers a page of the viewed path.
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
		return err
	}
	live := strconv.FormatBool(s.isLive(sess))
	if s.fresh(w, r, keepFor(q, m.Rev), "path", sess.Key(), m.Rev, live, r.URL.RawQuery) {
		return nil
	}
	return s.render(w, r, http.StatusOK, components.PathItems(m))
}
