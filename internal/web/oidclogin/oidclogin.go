// Package oidclogin signs people in at an OpenID Connect provider, with the authorization code
// flow of OpenID Connect Core 1.0, section 3.1, and PKCE (RFC 7636).
package oidclogin

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

// Everybody is the entry of Config.Allowed that lets everybody in whom the provider signs in.
const Everybody = "*"

// Config configures a Provider.
type Config struct {
	Issuer       string // URL of the provider, without "/.well-known/..."
	ClientID     string // of the hub, at the provider
	ClientSecret string // "" for a client without one
	RedirectURL  string // where Finish is served; the provider must know it
	// Allowed are the domains and e-mail addresses of the people who may sign in, or Everybody.
	Allowed []string
	Secure  bool // the hub is reached over TLS, so that cookies need it
}

// Provider signs people in. Its methods may be called by several goroutines.
type Provider struct {
	config Config
	client *http.Client

	mu    sync.Mutex
	found *oidc.Provider // nil until it was first needed: a hub starts without its provider
}

// providerTimeout is how long a request to the provider may take.
const providerTimeout = 10 * time.Second

// New returns a Provider. It sends no request.
func New(c Config) *Provider {
	return &Provider{config: c, client: &http.Client{Timeout: providerTimeout}}
}

// Host returns the host of the issuer.
func (p *Provider) Host() string {
	u, err := url.Parse(p.config.Issuer)
	if err != nil {
		return p.config.Issuer
	}
	return u.Host
}

// RefusedError is why somebody may not sign in, for the page.
type RefusedError struct{ Reason string }

// Error implements error.
func (e RefusedError) Error() string { return e.Reason }

// ErrUnreachable is returned if the provider does not respond as it should.
var ErrUnreachable = errors.New("the identity provider cannot be reached")

// discover returns the provider's addresses and keys, which are read once.
func (p *Provider) discover(ctx context.Context) (*oidc.Provider, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.found == nil {
		// Keys are read again with this context, after the request has ended.
		found, err := oidc.NewProvider(p.withClient(context.WithoutCancel(ctx)), p.config.Issuer)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrUnreachable, err)
		}
		p.found = found
	}
	return p.found, nil
}

func (p *Provider) withClient(ctx context.Context) context.Context {
	return oidc.ClientContext(ctx, p.client)
}

func (p *Provider) newOAuth(found *oidc.Provider) *oauth2.Config {
	return &oauth2.Config{
		ClientID: p.config.ClientID, ClientSecret: p.config.ClientSecret, RedirectURL: p.config.RedirectURL,
		Endpoint: found.Endpoint(), Scopes: []string{oidc.ScopeOpenID, "profile", "email"},
	}
}

// Start leads a browser to the provider.
func (p *Provider) Start(w http.ResponseWriter, r *http.Request) error {
	found, err := p.discover(r.Context())
	if err != nil {
		return err
	}
	a := newAttempt()
	http.SetCookie(w, p.newCookie(a.encode(), attemptLifetime))
	w.Header().Set("Cache-Control", "no-store")
	to := p.newOAuth(found).AuthCodeURL(a.state, oidc.Nonce(a.nonce), oauth2.S256ChallengeOption(a.verifier))
	http.Redirect(w, r, to, http.StatusSeeOther)
	return nil
}

// Person is who the provider says somebody is.
type Person struct {
	Subject string // the issuer and its id of the person, which never change
	Name    string
	Email   string // "" unless the provider has verified it
}

// Finish returns the person whom the provider has sent back. The error is a RefusedError if the
// person may not sign in.
func (p *Provider) Finish(w http.ResponseWriter, r *http.Request) (Person, error) {
	a, ok := requestAttempt(r)
	http.SetCookie(w, p.newCookie("", -time.Second))
	q := r.URL.Query()
	switch {
	case !ok || q.Get("state") != a.state:
		return Person{}, RefusedError{"Signing in took too long, or was not started in this browser. Try again."}
	case q.Get("error") != "":
		return Person{}, RefusedError{p.Host() + " did not sign you in: " + cmp.Or(q.Get("error_description"), q.Get("error"))}
	}
	found, err := p.discover(r.Context())
	if err != nil {
		return Person{}, err
	}
	ctx := p.withClient(r.Context())
	tokens, err := p.newOAuth(found).Exchange(ctx, q.Get("code"), oauth2.VerifierOption(a.verifier))
	if err != nil {
		return Person{}, fmt.Errorf("%w: %w", ErrUnreachable, err)
	}
	raw, _ := tokens.Extra("id_token").(string)
	token, err := found.Verifier(&oidc.Config{ClientID: p.config.ClientID}).Verify(ctx, raw)
	if err != nil || token.Nonce != a.nonce {
		return Person{}, fmt.Errorf("%w: its token is not valid: %w", ErrUnreachable, cmp.Or(err, errors.New("another nonce")))
	}
	return p.readPerson(token)
}

// readPerson returns the person of a token, if the person may sign in.
func (p *Provider) readPerson(token *oidc.IDToken) (Person, error) {
	var c claims
	if err := token.Claims(&c); err != nil {
		return Person{}, fmt.Errorf("%w: %w", ErrUnreachable, err)
	}
	out := Person{Subject: token.Issuer + " " + token.Subject, Name: cmp.Or(c.Name, c.Username, c.Email, token.Subject)}
	if c.isVerified() {
		out.Email = c.Email
	}
	if !p.isAllowed(out.Email) {
		reason := cmp.Or(out.Email, out.Name) + " may not sign in to this hub. Ask an admin."
		if out.Email == "" {
			reason = p.Host() + " does not confirm an e-mail address of yours, which this hub needs. Ask an admin."
		}
		return Person{}, RefusedError{reason}
	}
	return out, nil
}

// isAllowed reports whether the person with a verified address may sign in.
func (p *Provider) isAllowed(email string) bool {
	domain := email[strings.LastIndexByte(email, '@')+1:]
	for _, allowed := range p.config.Allowed {
		if allowed == Everybody || email != "" && (strings.EqualFold(allowed, email) || strings.EqualFold(allowed, domain)) {
			return true
		}
	}
	return false
}

// claims are what a token says about a person: OpenID Connect Core 1.0, section 5.1.
type claims struct {
	Name     string `json:"name"`
	Username string `json:"preferred_username"`
	Email    string `json:"email"`
	Verified any    `json:"email_verified"` // some providers write a string
}

func (c *claims) isVerified() bool { return c.Verified == true || c.Verified == "true" }
