package web

import (
	"errors"
	"net/http"

	"github.com/a-h/templ"

	"sessiontree/internal/session"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// serveUpdates answers what came since a revision in one go: the items behind an entry of
// the path, when after= names one, and the rows that differ. Whichever of the two
// cannot be told is left out, to be asked for by itself.
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
		m, err := s.builder.PathModel(r.Context(), sess, p, view.PathQuery{After: after, N: n}, s.now())
		switch {
		case err == nil:
			parts = append(parts, components.PathItems(m))
		case !errors.Is(err, session.ErrNotFound): // else the path goes elsewhere now
			return err
		}
	}
	rows, told, err := s.changedRows(r, sess, p)
	if err != nil {
		return err
	}
	if told {
		parts = append(parts, components.Rows(rows))
	}
	w.Header().Set("Cache-Control", cacheNever)
	if len(parts) == 0 {
		w.WriteHeader(http.StatusResetContent)
		return nil
	}
	return s.renderComponent(w, r, http.StatusOK, templ.Join(parts...))
}
