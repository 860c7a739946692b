package teampage

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"

	"sessiontree/internal/session"
	"sessiontree/internal/session/hub"
	"sessiontree/internal/session/team"
	"sessiontree/web/components"
)

// showAddDevice shows the form that adds a device, for part=status only whether a device was
// added with a code.
func (h *Handlers) showAddDevice(w http.ResponseWriter, r *http.Request) error {
	w.Header().Set("Cache-Control", "no-store")
	m := components.AddDeviceModel{Page: h.PageModel(r, "Add a device")}
	if check := r.URL.Query().Get("code"); check != "" {
		if err := h.fillDeviceStatus(r, &m, check); err != nil {
			return err
		}
		if r.URL.Query().Get("part") == "status" {
			return h.Render(w, r, http.StatusOK, components.DeviceStatus(m))
		}
		return h.Render(w, r, http.StatusOK, components.AddDevicePage(m))
	}
	return h.showDeviceForm(w, r, http.StatusOK, m)
}

func (h *Handlers) showDeviceForm(w http.ResponseWriter, r *http.Request, status int, m components.AddDeviceModel) error {
	projects, err := h.Hub.Registry.ListProjects(r.Context())
	if err != nil {
		return err
	}
	own, err := h.ownProjects(r)
	if err != nil {
		return err
	}
	for _, p := range projects {
		if own[p.Name] || p.Visibility == team.Team {
			m.Projects = append(m.Projects, newProject(p))
		}
	}
	return h.Render(w, r, status, components.AddDevicePage(m))
}

// ownProjects returns the names of the projects that the person pushes or may read sessions of.
func (h *Handlers) ownProjects(r *http.Request) (names map[string]bool, err error) {
	files, err := h.Hub.ListFiles(r.Context(), h.Viewer)
	names = map[string]bool{}
	for _, f := range files {
		names[f.Project] = true
	}
	return names, err
}

func newProject(p team.Project) components.TeamProject {
	days := cmp.Or(p.SearchDays, hub.DefaultSearchDays)
	if days == hub.AllDays {
		days = 0
	}
	return components.TeamProject{Name: p.Name, Team: p.Visibility == team.Team, RetainDays: p.RetainDays, SearchDays: days}
}

// fillDeviceStatus says whether a device was added with a code, which is given by its hash.
func (h *Handlers) fillDeviceStatus(r *http.Request, m *components.AddDeviceModel, check string) error {
	var hash team.Hash
	if err := hash.UnmarshalText([]byte(check)); err != nil {
		return fmt.Errorf("%w: %w", session.ErrInvalid, err)
	}
	code, err := h.Hub.Registry.FindCode(r.Context(), hash)
	if errors.Is(err, team.ErrNotFound) || err == nil && code.Person != h.Viewer {
		return fmt.Errorf("%w: there is no such code", session.ErrNotFound)
	}
	if err != nil {
		return err
	}
	m.Check, m.Expires = "/team/device?code="+check, h.View.TimeModel(code.Expires)
	if code.Used.IsZero() {
		m.Expired = !h.Clock().Before(code.Expires)
		return nil
	}
	d, err := h.Hub.Registry.FindDevice(r.Context(), code.Device)
	if errors.Is(err, team.ErrNotFound) {
		return nil // it is added a moment after the code is used
	}
	m.Device = d.Name
	return err
}

// createDeviceCode shows a code that adds a device. It is in no address, because those are
// remembered.
func (h *Handlers) createDeviceCode(w http.ResponseWriter, r *http.Request) error {
	if err := r.ParseForm(); err != nil {
		return fmt.Errorf("%w: %w", session.ErrInvalid, err)
	}
	projects := r.PostForm["project"]
	for name := range strings.SplitSeq(r.PostFormValue("projects"), ",") {
		if name = strings.TrimSpace(name); name != "" && !slices.Contains(projects, name) {
			projects = append(projects, name)
		}
	}
	m := components.AddDeviceModel{Page: h.PageModel(r, "Add a device")}
	w.Header().Set("Cache-Control", "no-store")
	code, err := h.Hub.NewDeviceCode(r.Context(), h.Viewer, projects)
	if errors.Is(err, session.ErrInvalid) {
		m.Problem = problemText(err)
		return h.showDeviceForm(w, r, http.StatusUnprocessableEntity, m)
	}
	if err != nil {
		return err
	}
	hash, err := team.HashSecret(code).MarshalText()
	if err != nil {
		return err
	}
	if err := h.fillDeviceStatus(r, &m, string(hash)); err != nil {
		return err
	}
	m.Command = "explorer push --hub " + h.URL + " --code " + code
	return h.Render(w, r, http.StatusOK, components.AddDevicePage(m))
}

// problemText returns an error as a sentence for a form.
func problemText(err error) string {
	text := strings.TrimPrefix(err.Error(), session.ErrInvalid.Error()+": ")
	return strings.ToUpper(text[:1]) + text[1:] + "."
}

func (h *Handlers) revokeDevice(w http.ResponseWriter, r *http.Request) error {
	if err := h.Hub.RevokeDevice(r.Context(), h.Viewer, chi.URLParam(r, "id")); err != nil {
		return err
	}
	return redirect(w, r, "/")
}
