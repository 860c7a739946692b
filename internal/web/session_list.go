package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"

	"sessiontree/internal/session"
	"sessiontree/internal/session/visits"
	"sessiontree/internal/web/keeppage"
	"sessiontree/internal/web/load"
	"sessiontree/internal/web/view"
	"sessiontree/internal/web/view/index"
	"sessiontree/internal/web/view/palette"
	"sessiontree/web/components"
)

// listHandlers serve the list of sessions.
type listHandlers struct {
	*responder
	*sessionSource
	visits      *visits.Store
	keep        *keeppage.Handlers
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
	rememberGrouping(w, r, &p)
	rev := h.follower.ListRevision().String() // before the list is read: a concurrent change is notified again
	now := h.now()
	l := index.LibraryState{
		Sessions:    h.catalog.Sessions(),
		Unreadable:  h.catalog.Unreadable(),
		Progress:    h.catalog.Progress(),
		SessionDirs: h.sessionDirs,
		Visits:      h.visits.Snapshot(),
		Keep:        h.keep.ListState(r.Context(), p.Href()),
	}
	// The minute is part of the validator because live dots expire and days begin without a change.
	if h.checkNotModified(w, r, cacheRevalidate, "sessions", rev, fmt.Sprint(l.Progress.Files, l.Progress.Complete), h.loader.Config.InZone(now).Format("2006-01-02 15:04"), p.LastBy, l.Keep.Stamp(), r.URL.RawQuery) {
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

// groupingCookie is the name of the cookie that holds how sessions were grouped the last
// time.
const groupingCookie = "explorer-sessions-by"

// rememberGrouping stores how sessions are grouped in a cookie, or reads it if the address
// does not say. A page that is open says how it shows them, because another page may have
// changed the cookie.
func rememberGrouping(w http.ResponseWriter, r *http.Request, p *index.Params) {
	c, err := r.Cookie(groupingCookie)
	if p.By == "" {
		if p.LastBy = r.URL.Query().Get("last"); p.LastBy == "" && err == nil {
			p.LastBy = c.Value
		}
		return
	}
	if err == nil && c.Value == p.By {
		return
	}
	http.SetCookie(w, &http.Cookie{Name: groupingCookie, Value: p.By, Path: "/", MaxAge: 365 * 24 * 60 * 60, HttpOnly: true, SameSite: http.SameSiteLaxMode})
}

// servePaletteChoices lists the sessions that match q, and the entries and labels of the
// session whose key is given.
func (h *listHandlers) servePaletteChoices(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	query := strings.TrimSpace(q.Get("q"))
	if len(query) > view.MaxQueryBytes {
		return fmt.Errorf("%w: a query may have %d bytes", session.ErrInvalid, view.MaxQueryBytes)
	}
	found := palette.Choices{Entries: palette.Group{Items: []palette.Choice{}}, Labels: palette.Group{Items: []palette.Choice{}}}
	if key := q.Get("session"); key != "" {
		sess, err := h.follower.OpenSession(r.Context(), key, h.follower.FindDeadline())
		if err != nil {
			return err
		}
		err = h.withBareScene(load.SessionView{Session: sess}, view.Params{}, func(sc view.Scene) {
			found.Entries, found.Labels = palette.FindEntries(sc, query), palette.FindLabels(sc, query)
		})
		if err != nil {
			return err
		}
	}
	found.Sessions = palette.FindSessions(h.loader.Config, h.catalog.Sessions(), query)
	w.Header().Set("Cache-Control", cacheNever)
	w.Header().Set("Content-Type", "application/json")
	return json.NewEncoder(w).Encode(found)
}
