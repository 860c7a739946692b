package web

import (
	"fmt"
	"net/http"

	"sessiontree/internal/session"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// sessions is the index; part=list answers its list alone.
func (s *Server) sessions(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	p, err := view.ParseSessions(q)
	if err != nil {
		return err
	}
	rev := s.libraryRev().String() // before the list is read: a change meanwhile is told again
	now := s.now()
	l := view.Library{
		Sessions:   s.catalog.Sessions(),
		Unreadable: s.catalog.Unreadable(),
		Progress:   s.catalog.Progress(),
		LookedIn:   s.lookedIn,
	}
	// The minute is part of it: live dots go out without any change.
	if s.fresh(w, r, keepAsking, "sessions", rev, fmt.Sprint(l.Progress.Files, l.Progress.Complete), now.Format("15:04"), r.URL.RawQuery) {
		return nil
	}
	m := s.builder.Sessions(s.page(r, "Sessions"), l, p, now)
	m.Rev = rev
	if text := s.warning.Load(); text != nil {
		m.Warning = *text
	}
	switch part := q.Get("part"); part {
	case "":
		return s.render(w, r, http.StatusOK, components.SessionsPage(m))
	case "list":
		return s.render(w, r, http.StatusOK, components.SessionsList(m))
	default:
		return fmt.Errorf("%w: the index has no part %q", session.ErrInvalid, part)
	}
}
