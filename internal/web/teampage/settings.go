package teampage

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"

	"github.com/go-chi/chi/v5"

	"sessiontree/internal/session"
	"sessiontree/internal/session/hub"
	"sessiontree/internal/session/team"
	"sessiontree/internal/web/view/teamview"
	"sessiontree/web/components"
)

// showSettings shows people and projects to an admin.
func (h *Handlers) showSettings(w http.ResponseWriter, r *http.Request) error {
	return h.renderSettings(w, r, http.StatusOK, components.TeamSettingsModel{})
}

// renderSettings shows people and projects, and what m has already.
func (h *Handlers) renderSettings(w http.ResponseWriter, r *http.Request, status int, m components.TeamSettingsModel) error {
	viewer, err := h.Hub.Registry.FindPerson(r.Context(), h.Viewer)
	if err == nil && viewer.Role != team.Admin {
		err = fmt.Errorf("%w: only an admin manages people and projects", session.ErrReadOnly)
	}
	if err != nil {
		return err
	}
	people, err := h.Hub.Registry.ListPeople(r.Context())
	if err != nil {
		return err
	}
	for _, p := range people {
		m.People = append(m.People, components.TeamMember{Avatar: teamview.NewAvatar(p), Role: string(p.Role), Me: p.ID == h.Viewer})
	}
	projects, err := h.Hub.Registry.ListProjects(r.Context())
	if err != nil {
		return err
	}
	for _, p := range projects {
		m.Projects = append(m.Projects, newProject(p))
	}
	m.Page = h.PageModel(r, "People and projects")
	w.Header().Set("Cache-Control", "no-store")
	return h.Render(w, r, status, components.TeamSettingsPage(m))
}

// showProblem shows the settings with an error of a form, or returns another error.
func (h *Handlers) showProblem(w http.ResponseWriter, r *http.Request, err error) error {
	if !errors.Is(err, session.ErrInvalid) {
		return err
	}
	return h.renderSettings(w, r, http.StatusUnprocessableEntity, components.TeamSettingsModel{Problem: problemText(err)})
}

// invitePerson adds a person and shows the link that signs the person in.
func (h *Handlers) invitePerson(w http.ResponseWriter, r *http.Request) error {
	name := r.FormValue("name")
	code, err := h.Hub.Invite(r.Context(), h.Viewer, name, team.Role(r.FormValue("role")))
	if err != nil {
		return h.showProblem(w, r, err)
	}
	return h.renderSettings(w, r, http.StatusOK, components.TeamSettingsModel{Link: SignInLink(h.URL, code), Invited: name})
}

// SignInLink returns the link to a hub that signs in with a code.
func SignInLink(hub, code string) string {
	return hub + "/signin?" + url.Values{"code": {code}}.Encode()
}

// createLink shows a new link that signs a known person in.
func (h *Handlers) createLink(w http.ResponseWriter, r *http.Request) error {
	code, p, err := h.Hub.NewLink(r.Context(), h.Viewer, chi.URLParam(r, "id"))
	if err != nil {
		return err
	}
	return h.renderSettings(w, r, http.StatusOK, components.TeamSettingsModel{Link: SignInLink(h.URL, code), Invited: p.Name})
}

func (h *Handlers) setPerson(w http.ResponseWriter, r *http.Request) error {
	if err := h.Hub.SetPerson(r.Context(), h.Viewer, chi.URLParam(r, "id"), r.FormValue("name"), team.Role(r.FormValue("role"))); err != nil {
		return h.showProblem(w, r, err)
	}
	return redirect(w, r, "/team/settings")
}

func (h *Handlers) setProject(w http.ResponseWriter, r *http.Request) error {
	p, err := h.Hub.Registry.FindProject(r.Context(), r.FormValue("name"))
	if err != nil {
		return err
	}
	p.Visibility = team.Visibility(r.FormValue("visibility"))
	if p.RetainDays, err = parseDays(r.FormValue("days")); err != nil {
		return err
	}
	if r.Form.Has("search") { // older pages do not send it
		days, err := parseDays(r.FormValue("search"))
		if err != nil {
			return err
		}
		p.SearchDays = cmp.Or(days, hub.AllDays)
	}
	if err := h.Hub.SetProject(r.Context(), h.Viewer, p); err != nil {
		return h.showProblem(w, r, err)
	}
	return redirect(w, r, "/team/settings")
}

func parseDays(text string) (int, error) {
	days, err := strconv.Atoi(text)
	if err != nil {
		return 0, fmt.Errorf("%w: %q is not a number of days", session.ErrInvalid, text)
	}
	return days, nil
}
