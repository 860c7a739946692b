package web

import (
	"fmt"
	"net/http"

	"sessiontree/internal/session"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// showSessionList serves the list of sessions, for part=list without the page around it.
func (s *Server) showSessionList(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	p, err := view.ParseSessionListParams(q)
	if err != nil {
		return err
	}
	rev := s.listRevision().String() // before the list is read: a concurrent change is notified again
	now := s.now()
	l := view.LibraryState{
		Sessions:    s.catalog.Sessions(),
		Unreadable:  s.catalog.Unreadable(),
		Progress:    s.catalog.Progress(),
		SessionDirs: s.sessionDirs,
	}
	// The minute is part of the validator because live dots expire without a change.
	if s.checkNotModified(w, r, cacheRevalidate, "sessions", rev, fmt.Sprint(l.Progress.Files, l.Progress.Complete), now.Format("15:04"), r.URL.RawQuery) {
		return nil
	}
	m := view.SessionListModel(s.loader.Config, s.pageModel(r, "Sessions"), l, p, now)
	m.Rev = rev
	if text := s.warning.Load(); text != nil {
		m.Warning = *text
	}
	switch part := q.Get("part"); part {
	case "":
		return s.renderComponent(w, r, http.StatusOK, components.SessionsPage(m))
	case "list":
		return s.renderComponent(w, r, http.StatusOK, components.SessionsList(m))
	default:
		return fmt.Errorf("%w: the index has no part %q", session.ErrInvalid, part)
	}
}
