package deviceapi

import (
	"errors"
	"net/http"
	"strings"
	"unicode"
	"unicode/utf8"

	"sessiontree/internal/session/push/wire"
	"sessiontree/internal/session/team"
)

// maxDeviceName is how many characters of the name of a device are stored.
const maxDeviceName = 64

// enrollDevice adds a device with a one-time code.
func (h *Handlers) enrollDevice(w http.ResponseWriter, r *http.Request) error {
	var request wire.Enroll
	if err := readJSON(w, r, &request); err != nil {
		return err
	}
	d := team.Device{ID: team.NewID(), Name: cleanName(request.Name), Added: h.Clock(), Seen: h.Clock()}
	code, err := h.Registry.UseCode(r.Context(), team.HashSecret(team.CleanCode(request.Code)), team.DeviceCode, d.ID, h.Clock())
	if errors.Is(err, team.ErrCode) {
		return h.refuseUnknown(w, r, failure{http.StatusForbidden, err.Error()})
	}
	if err != nil {
		return err
	}
	token := team.NewSecret()
	d.Person, d.Projects, d.Token = code.Person, code.Projects, team.HashSecret(token)
	owner, err := h.Registry.FindPerson(r.Context(), d.Person)
	if err != nil {
		return err
	}
	if err := h.Registry.AddDevice(r.Context(), d); err != nil {
		return err
	}
	event := team.Event{Time: d.Added, Person: d.Person, Device: d.ID, Action: team.AddDevice, Title: d.Name, Detail: strings.Join(d.Projects, ", ")}
	if err := h.Registry.AddEvent(r.Context(), event); err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, wire.Enrolled{Device: d.ID, Token: token, Person: owner.Name, Projects: d.Projects})
	return nil
}

// cleanName returns the name of a device on one line.
func cleanName(name string) string {
	name = strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == utf8.RuneError || unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, name))
	if runes := []rune(name); len(runes) > maxDeviceName {
		name = string(runes[:maxDeviceName])
	}
	if name == "" {
		return "device"
	}
	return name
}
