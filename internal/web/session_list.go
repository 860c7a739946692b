package web

import (
	"fmt"
	"net/http"
	"sync/atomic"

	"sessiontree/internal/session"
	"sessiontree/internal/web/view/index"
	"sessiontree/web/components"
)

// listHandlers serve the list of sessions.
type listHandlers struct {
	*responder
	*sessionSource
	sessionDirs []string               // as shown to users
	warning     atomic.Pointer[string] // shown above the list
}

// showSessionList serves the list of sessions, for part=list without the page around it.
func (h *listHandlers) showSessionList(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	p, err := index.ParseParams(q)
	if err != nil {
		return err
	}
	rev := h.follower.ListRevision().String() // before the list is read: a concurrent change is notified again
	now := h.now()
	l := index.LibraryState{
		Sessions:    h.catalog.Sessions(),
		Unreadable:  h.catalog.Unreadable(),
		Progress:    h.catalog.Progress(),
		SessionDirs: h.sessionDirs,
	}
	// The minute is part of the validator because live dots expire without a change.
	if h.checkNotModified(w, r, cacheRevalidate, "sessions", rev, fmt.Sprint(l.Progress.Files, l.Progress.Complete), now.Format("15:04"), r.URL.RawQuery) {
		return nil
	}
	m := index.SessionListModel(h.loader.Config, h.pageModel(r, "Sessions"), l, p, now)
	m.Rev = rev
	if text := h.warning.Load(); text != nil {
		m.Warning = *text
	}
	switch part := q.Get("part"); part {
	case "":
		return h.renderComponent(w, r, http.StatusOK, components.SessionsPage(m))
	case "list":
		return h.renderComponent(w, r, http.StatusOK, components.SessionsList(m))
	default:
		return fmt.Errorf("%w: the index has no part %q", session.ErrInvalid, part)
	}
}
