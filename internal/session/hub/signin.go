package hub

import (
	"cmp"
	"context"
	"errors"
	"time"

	"sessiontree/internal/session/team"
)

const (
	// InviteLifetime is how long a link that signs somebody in is valid.
	InviteLifetime = 7 * 24 * time.Hour
	// LoginLifetime is how long a browser stays signed in.
	LoginLifetime = 30 * 24 * time.Hour
	// ProviderLoginLifetime is LoginLifetime for people who sign in at an identity provider,
	// which refuses those who have left the team.
	ProviderLoginLifetime = 24 * time.Hour
)

// NewSignInCode returns a code that signs a known person in once.
func (h *Hub) NewSignInCode(ctx context.Context, person string) (string, error) {
	code := team.NewCode()
	return code, h.Registry.AddCode(ctx, team.Code{Hash: team.HashSecret(code), Kind: team.InviteCode, Person: person, Expires: h.now().Add(InviteLifetime)})
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

// ErrNoAccess is returned for people whom an admin has taken the access.
var ErrNoAccess = errors.New("an admin has removed your access to this hub")

// SignInSubject signs in the person whom an identity provider names, and adds one that is new
// with a name and an e-mail address. It returns the token of the browser, or ErrNoAccess.
func (h *Hub) SignInSubject(ctx context.Context, subject, name, email string) (token string, err error) {
	if checkName("person", name) != nil {
		name = cmp.Or(email, subject)
	}
	p, err := h.PersonOfSubject(ctx, subject, name, email)
	if err == nil && p.Role == team.None {
		err = ErrNoAccess
	}
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
