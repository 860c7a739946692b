// Package teampage serves the pages of a hub: the sessions of a team, the devices of a person,
// people and projects, and signing in.
package teampage

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/a-h/templ"
	"github.com/go-chi/chi/v5"

	"sessiontree/internal/session"
	"sessiontree/internal/session/catalog"
	"sessiontree/internal/session/follow"
	"sessiontree/internal/session/hub"
	"sessiontree/internal/session/team"
	"sessiontree/internal/web/auth"
	"sessiontree/internal/web/oidclogin"
	"sessiontree/internal/web/view"
	"sessiontree/internal/web/view/index"
	"sessiontree/internal/web/view/teamview"
	"sessiontree/web/components"
)

// Handlers serve the pages to one person.
type Handlers struct {
	Hub     *hub.Hub
	Viewer  string     // id of the person, "" before signing in
	Files   *hub.Files // that the person may read
	URL     string     // of the hub, without a slash at the end
	Name    string     // host name of the hub
	Secure  bool       // the hub is reached over TLS, so that cookies need it
	Limiter *auth.LinkLimiter
	// Provider is the identity provider at which people can sign in, nil if there is none.
	Provider *oidclogin.Provider
	Log      *slog.Logger

	// The following are set by package web.
	Catalog  *catalog.Catalog
	Follower *follow.Follower
	View     view.Config
	Clock    func() time.Time
	// PageModel returns what all pages have in common.
	PageModel func(r *http.Request, title string) components.Page
	// Render writes a component as a response.
	Render func(w http.ResponseWriter, r *http.Request, status int, c templ.Component) error
	// HandleErrors makes a handler of one that returns an error.
	HandleErrors func(fn func(w http.ResponseWriter, r *http.Request) error) http.HandlerFunc
}

// AddPublicRoutes adds the routes of signing in.
func (h *Handlers) AddPublicRoutes(r chi.Router) {
	r.Get("/signin", h.HandleErrors(h.showSignIn))
	r.Post("/signin", h.HandleErrors(h.submitSignIn))
	r.Post("/signout", h.HandleErrors(h.signOut))
	if h.Provider != nil {
		r.Get(ProviderPath, h.HandleErrors(h.startProvider))
		r.Get(CallbackPath, h.HandleErrors(h.finishProvider))
	}
}

// AddRoutes adds the routes for people who have signed in.
func (h *Handlers) AddRoutes(r chi.Router) {
	r.Get("/", h.HandleErrors(h.showTeam))
	r.Get("/team/audit", h.HandleErrors(h.showAudit))
	r.Get("/team/device", h.HandleErrors(h.showAddDevice))
	r.Post("/team/device", h.HandleErrors(h.createDeviceCode))
	r.Post("/team/devices/{id}/revoke", h.HandleErrors(h.revokeDevice))
	r.Post("/team/sessions/{key}/visibility", h.HandleErrors(h.setVisibility))
	r.Get("/team/sessions/{key}/delete", h.HandleErrors(h.showDelete))
	r.Post("/team/sessions/{key}/delete", h.HandleErrors(h.submitDelete))
	r.Get("/team/settings", h.HandleErrors(h.showSettings))
	r.Post("/team/people", h.HandleErrors(h.invitePerson))
	r.Post("/team/people/{id}", h.HandleErrors(h.setPerson))
	r.Post("/team/people/{id}/link", h.HandleErrors(h.createLink))
	r.Post("/team/projects", h.HandleErrors(h.setProject))
}

// auditAge is how old the events on the page of the team are at most.
const auditAge = 24 * time.Hour

// auditLimits is how many events the pages show.
const (
	recentEvents = 12
	allEvents    = 1000
)

// showTeam serves the sessions of the team, for part=list without what is around them.
func (h *Handlers) showTeam(w http.ResponseWriter, r *http.Request) error {
	rev := h.Follower.ListRevision().String() // before the list is read: a concurrent change is notified again
	viewer, err := h.Hub.Registry.FindPerson(r.Context(), h.Viewer)
	if err != nil {
		return err
	}
	src := teamview.Source{Viewer: viewer, Hub: h.Name, Sessions: h.Catalog.Sessions()}
	files, err := h.filesByPath(r.Context())
	if err != nil {
		return err
	}
	src.FileOf = func(path string) (team.File, bool) { f, ok := files[path]; return f, ok }
	if src.People, err = h.Hub.Registry.ListPeople(r.Context()); err != nil {
		return err
	}
	if src.Devices, err = h.Hub.Registry.ListDevices(r.Context(), ""); err != nil {
		return err
	}
	if src.Projects, err = h.Hub.Registry.ListProjects(r.Context()); err != nil {
		return err
	}
	if src.Events, err = h.Hub.Registry.ListEvents(r.Context(), team.EventFilter{Viewer: h.Viewer, Since: h.Clock().Add(-auditAge), Limit: recentEvents}); err != nil {
		return err
	}
	m := teamview.NewTeamModel(h.View, h.PageModel(r, "Team sessions"), src, teamview.ParseParams(r.URL.Query()), h.Clock())
	m.Rev = rev
	if p := h.Catalog.Progress(); !p.Complete {
		m.Reading = "Reading " + components.Pluralize(p.Files, "session", "sessions")
	}
	w.Header().Set("Cache-Control", "no-store")
	if r.URL.Query().Get("part") == "list" {
		return h.Render(w, r, http.StatusOK, components.TeamContent(m))
	}
	return h.Render(w, r, http.StatusOK, components.TeamPage(m))
}

// filesByPath returns the files that the person may read, by the paths in their explorer.
func (h *Handlers) filesByPath(ctx context.Context) (map[string]team.File, error) {
	files, err := h.Hub.ListFiles(ctx, h.Viewer)
	byPath := make(map[string]team.File, len(files))
	for _, f := range files {
		path, _ := h.Files.PathOf(f.Path)
		byPath[path] = f
	}
	return byPath, err
}

// requestSession returns the session of a request and its path in the archive.
func (h *Handlers) requestSession(r *http.Request) (s catalog.Summary, archived string, err error) {
	s, ok := h.Catalog.FindByKey(chi.URLParam(r, "key"))
	if ok {
		archived, ok = h.Files.ArchivePath(s.Path)
	}
	if !ok {
		return s, "", fmt.Errorf("%w: you have no such session", session.ErrNotFound)
	}
	return s, archived, nil
}

// redirect leads the browser to a page after a form.
func redirect(w http.ResponseWriter, r *http.Request, to string) error {
	w.Header().Set("Cache-Control", "no-store")
	http.Redirect(w, r, to, http.StatusSeeOther)
	return nil
}

// setVisibility shares a session with the team, or makes it private.
func (h *Handlers) setVisibility(w http.ResponseWriter, r *http.Request) error {
	s, archived, err := h.requestSession(r)
	if err != nil {
		return err
	}
	if err := h.Hub.SetVisibility(r.Context(), h.Viewer, archived, team.Visibility(r.FormValue("to")), index.SummaryTitle(&s)); err != nil {
		return err
	}
	return redirect(w, r, "/#team-"+s.Key)
}

// showDelete asks before a session is deleted.
func (h *Handlers) showDelete(w http.ResponseWriter, r *http.Request) error {
	s, _, err := h.requestSession(r)
	if err != nil {
		return err
	}
	return h.Render(w, r, http.StatusOK, components.DeleteSessionPage(components.DeleteSessionModel{
		Page: h.PageModel(r, "Delete a session"), Title: index.SummaryTitle(&s), Post: r.URL.Path,
	}))
}

func (h *Handlers) submitDelete(w http.ResponseWriter, r *http.Request) error {
	s, archived, err := h.requestSession(r)
	if err != nil {
		return err
	}
	if err := h.Hub.DeleteSession(r.Context(), h.Viewer, archived, index.SummaryTitle(&s)); err != nil {
		return err
	}
	return redirect(w, r, "/")
}

// showAudit shows what people did.
func (h *Handlers) showAudit(w http.ResponseWriter, r *http.Request) error {
	people, err := h.Hub.Registry.ListPeople(r.Context())
	if err != nil {
		return err
	}
	events, err := h.Hub.Registry.ListEvents(r.Context(), team.EventFilter{Viewer: h.Viewer, Limit: allEvents})
	if err != nil {
		return err
	}
	m := components.AuditModel{Page: h.PageModel(r, "Audit"), Events: teamview.EventModels(h.View, h.Viewer, people, events)}
	w.Header().Set("Cache-Control", "no-store")
	return h.Render(w, r, http.StatusOK, components.AuditPage(m))
}
