package web

import (
	"errors"
	"net/http"

	"github.com/a-h/templ"

	"sessiontree/internal/session"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// serveUpdates serves the changes since a revision in one response: the items after the
// entry in after=, if given, and the rows that differ. It omits a part that cannot be
// computed, which the client then requests by itself.
func (s *Server) serveUpdates(w http.ResponseWriter, r *http.Request) error {
	sess, p, err := s.parseSessionView(r)
	if err != nil {
		return err
	}
	var parts []templ.Component
	q := r.URL.Query()
	if after := q.Get("after"); after != "" {
		n, err := parseQueryCount(q, "n", 0)
		if err != nil {
			return err
		}
		m, err := s.loader.PathModel(r.Context(), sess, p, view.PathQuery{After: after, N: n}, s.now())
		switch {
		case err == nil:
			parts = append(parts, components.PathItems(m))
		case !errors.Is(err, session.ErrNotFound): // otherwise the entry is no longer on the path
			return err
		}
	}
	rows, found, err := s.changedRows(r, sess, p)
	if err != nil {
		return err
	}
	if found {
		parts = append(parts, components.Rows(rows))
	}
	w.Header().Set("Cache-Control", cacheNever)
	if len(parts) == 0 {
		w.WriteHeader(http.StatusResetContent)
		return nil
	}
	return s.renderComponent(w, r, http.StatusOK, templ.Join(parts...))
}
