package hub

import (
	"cmp"
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

const (
	// DeviceCodeLifetime is how long the code that adds a device is valid.
	DeviceCodeLifetime = 15 * time.Minute
	// InviteLifetime is how long a link that signs somebody in is valid.
	InviteLifetime = 7 * 24 * time.Hour
	// LoginLifetime is how long a browser stays signed in.
	LoginLifetime = 30 * 24 * time.Hour
	// ProviderLoginLifetime is LoginLifetime for people who sign in at an identity provider,
	// which refuses those who have left the team.
	ProviderLoginLifetime = 24 * time.Hour
)

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

// NewSignInCode returns a code that signs a known person in once.
func (h *Hub) NewSignInCode(ctx context.Context, person string) (string, error) {
	code := team.NewCode()
	return code, h.Registry.AddCode(ctx, team.Code{Hash: team.HashSecret(code), Kind: team.InviteCode, Person: person, Expires: h.now().Add(InviteLifetime)})
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

// SetRole sets the role of a person for an admin. The last admin stays one.
func (h *Hub) SetRole(ctx context.Context, admin, person string, role team.Role) error {
	if err := errors.Join(h.requireAdmin(ctx, admin), checkRole(role)); err != nil {
		return err
	}
	people, err := h.Registry.ListPeople(ctx)
	if err != nil {
		return err
	}
	admins, name := 0, ""
	for _, p := range people {
		if p.Role == team.Admin && p.ID != person {
			admins++
		}
		if p.ID == person {
			name = p.Name
		}
	}
	if admins == 0 && role != team.Admin {
		return fmt.Errorf("%w: a hub needs an admin", session.ErrInvalid)
	}
	if err := h.Registry.SetRole(ctx, person, role); err != nil {
		return err
	}
	return h.record(ctx, team.Event{Person: admin, Action: team.SetRole, Title: name, Detail: string(role)})
}

// SignIn uses a code and returns the token of the browser that sent it.
func (h *Hub) SignIn(ctx context.Context, code string) (token string, err error) {
	c, err := h.Registry.UseCode(ctx, team.HashSecret(team.CleanCode(code)), team.InviteCode, "", h.now())
	if err != nil {
		return "", err
	}
	return h.addLogin(ctx, c.Person, LoginLifetime)
}

// FindSignedIn returns the person whose browser has a token.
func (h *Hub) FindSignedIn(ctx context.Context, token string) (team.Person, error) {
	l, err := h.Registry.FindLogin(ctx, team.HashSecret(token), h.now())
	if err != nil {
		return team.Person{}, err
	}
	return h.Registry.FindPerson(ctx, l.Person)
}

// SignOut forgets the token of a browser.
func (h *Hub) SignOut(ctx context.Context, token string) error {
	return h.Registry.DeleteLogin(ctx, team.HashSecret(token))
}

// SignInSubject signs in the person whom an identity provider names, and adds one that is new
// with a name and an e-mail address. It returns the token of the browser.
func (h *Hub) SignInSubject(ctx context.Context, subject, name, email string) (token string, err error) {
	if checkName("person", name) != nil {
		name = cmp.Or(email, subject)
	}
	p, err := h.PersonOfSubject(ctx, subject, name, email)
	if err != nil {
		return "", err
	}
	return h.addLogin(ctx, p.ID, ProviderLoginLifetime)
}

// addLogin returns the token of another browser of a person.
func (h *Hub) addLogin(ctx context.Context, person string, lifetime time.Duration) (token string, err error) {
	token = team.NewSecret()
	return token, h.Registry.AddLogin(ctx, team.Login{Token: team.HashSecret(token), Person: person, Expires: h.now().Add(lifetime)})
}

// PersonOfSubject returns the person whom a proxy or an identity provider names, and adds one
// that is new as a reader. name and email are for a new one.
func (h *Hub) PersonOfSubject(ctx context.Context, subject, name, email string) (team.Person, error) {
	p, err := h.Registry.FindSubject(ctx, subject)
	if !errors.Is(err, team.ErrNotFound) {
		return p, err
	}
	if err := checkName("person", name); err != nil {
		return p, err
	}
	role := team.Reader
	if people, err := h.Registry.ListPeople(ctx); err == nil && len(people) == 0 {
		role = team.Admin // somebody has to set the roles
	}
	p = team.Person{ID: team.NewID(), Subject: subject, Name: name, Email: email, Role: role, Added: h.now()}
	if err := h.Registry.AddPerson(ctx, p); errors.Is(err, team.ErrExists) {
		return h.Registry.FindSubject(ctx, subject) // another request has just added it
	} else if err != nil {
		return p, err
	}
	return p, h.record(ctx, team.Event{Action: team.Invite, Title: p.Name, Detail: string(role)})
}
