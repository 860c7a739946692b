package hub

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"sessiontree/internal/session"
	"sessiontree/internal/session/team"
)

// DeviceCodeLifetime is how long the code that adds a device is valid.
const DeviceCodeLifetime = 15 * time.Minute

// maxName is how many bytes the name of a person or a project has at most.
const maxName = 100

// checkName returns an error for a name that cannot be shown on a line.
func checkName(what, name string) error {
	if strings.TrimSpace(name) == "" || len(name) > maxName || strings.ContainsFunc(name, unicode.IsControl) {
		return fmt.Errorf("%w: %q cannot be the name of a %s", session.ErrInvalid, name, what)
	}
	return nil
}

// NewDeviceCode returns a code with which a person adds a device that may push projects.
func (h *Hub) NewDeviceCode(ctx context.Context, person string, projects []string) (string, error) {
	p, err := h.Registry.FindPerson(ctx, person)
	switch {
	case err != nil:
		return "", err
	case p.Role == team.Reader:
		return "", fmt.Errorf("%w: readers push no sessions; ask an admin to make you a member", session.ErrReadOnly)
	case len(projects) == 0:
		return "", fmt.Errorf("%w: choose the projects that the device may push", session.ErrInvalid)
	}
	for _, name := range projects {
		if err := checkName("project", name); err != nil {
			return "", err
		}
	}
	code := team.NewCode()
	return code, h.Registry.AddCode(ctx, team.Code{
		Hash: team.HashSecret(code), Kind: team.DeviceCode, Person: person, Projects: slices.Clone(projects), Expires: h.now().Add(DeviceCodeLifetime),
	})
}

// RevokeDevice refuses a device of a person from now on. An admin may revoke all devices.
func (h *Hub) RevokeDevice(ctx context.Context, person, device string) error {
	d, err := h.Registry.FindDevice(ctx, device)
	if err == nil && d.Person != person && h.requireAdmin(ctx, person) != nil {
		err = team.ErrNotFound
	}
	if errors.Is(err, team.ErrNotFound) {
		return fmt.Errorf("%w: you have no such device", session.ErrNotFound)
	}
	if err == nil {
		err = h.Registry.RevokeDevice(ctx, device, h.now())
	}
	if err != nil {
		return err
	}
	return h.record(ctx, team.Event{Person: person, Device: device, Action: team.RevokeDevice, Title: d.Name})
}

// Invite adds a person for an admin, or for the hub itself if admin is "". It returns a code
// that signs the person in.
func (h *Hub) Invite(ctx context.Context, admin, name string, role team.Role) (code string, err error) {
	if admin != "" {
		if err := h.requireAdmin(ctx, admin); err != nil {
			return "", err
		}
	}
	if err := errors.Join(checkName("person", name), checkRole(role)); err != nil {
		return "", err
	}
	p := team.Person{ID: team.NewID(), Name: name, Role: role, Added: h.now()}
	if err := h.Registry.AddPerson(ctx, p); err != nil {
		return "", err
	}
	if err := h.record(ctx, team.Event{Person: admin, Action: team.Invite, Title: name, Detail: string(role)}); err != nil {
		return "", err
	}
	return h.NewSignInCode(ctx, p.ID)
}

func checkRole(role team.Role) error {
	if role != team.Reader && role != team.Member && role != team.Admin {
		return fmt.Errorf("%w: the role %q is unknown: want reader, member or admin", session.ErrInvalid, role)
	}
	return nil
}

// NewLink returns a code that signs a known person in once, for an admin.
func (h *Hub) NewLink(ctx context.Context, admin, person string) (code string, p team.Person, err error) {
	if err := h.requireAdmin(ctx, admin); err != nil {
		return "", p, err
	}
	p, err = h.Registry.FindPerson(ctx, person)
	if errors.Is(err, team.ErrNotFound) {
		err = fmt.Errorf("%w: there is no such person", session.ErrNotFound)
	}
	if err != nil {
		return "", p, err
	}
	if err := h.record(ctx, team.Event{Person: admin, Action: team.Invite, Title: p.Name, Detail: string(p.Role)}); err != nil {
		return "", p, err
	}
	code, err = h.NewSignInCode(ctx, person)
	return code, p, err
}

// SetPerson sets the name and the role of a person for an admin. The last admin stays one. With
// team.None the person is signed out everywhere, and the devices are refused.
func (h *Hub) SetPerson(ctx context.Context, admin, id, name string, role team.Role) error {
	err := errors.Join(h.requireAdmin(ctx, admin), checkName("person", name))
	if role != team.None {
		err = errors.Join(err, checkRole(role))
	}
	if err != nil {
		return err
	}
	people, err := h.Registry.ListPeople(ctx)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(people, func(p team.Person) bool { return p.ID == id })
	if at < 0 {
		return fmt.Errorf("%w: there is no such person", session.ErrNotFound)
	}
	if role != team.Admin && !slices.ContainsFunc(people, func(p team.Person) bool { return p.Role == team.Admin && p.ID != id }) {
		return fmt.Errorf("%w: a hub needs an admin", session.ErrInvalid)
	}
	if err := h.Registry.SetPerson(ctx, id, name, role); err != nil {
		return err
	}
	h.notify(Change{Person: id})
	return h.recordPerson(ctx, admin, people[at], name, role)
}

// recordPerson records what an admin has changed of a person.
func (h *Hub) recordPerson(ctx context.Context, admin string, was team.Person, name string, role team.Role) (err error) {
	if was.Name != name {
		err = h.record(ctx, team.Event{Person: admin, Action: team.Rename, Title: was.Name, Detail: name})
	}
	if was.Role != role {
		err = errors.Join(err, h.record(ctx, team.Event{Person: admin, Action: team.SetRole, Title: name, Detail: string(role)}))
	}
	return err
}
