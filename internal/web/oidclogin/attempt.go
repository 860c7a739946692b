package oidclogin

import (
	"net/http"
	"strings"
	"time"

	"golang.org/x/oauth2"
)

// attempt is what a browser must still have when the provider sends it back.
type attempt struct {
	state    string // returned with the code: the response belongs to this browser
	nonce    string // in the token: it was made for this attempt
	verifier string // sent with the code: the code alone is of no use to others
}

const (
	attemptCookie   = "explorer_signin"
	attemptLifetime = 10 * time.Minute
)

func newAttempt() attempt {
	return attempt{oauth2.GenerateVerifier(), oauth2.GenerateVerifier(), oauth2.GenerateVerifier()}
}

// encode returns the value of the cookie. The parts are base64url.
func (a attempt) encode() string { return a.state + "." + a.nonce + "." + a.verifier }

// requestAttempt returns the attempt of the browser that sent a request.
func requestAttempt(r *http.Request) (a attempt, ok bool) {
	c, err := r.Cookie(attemptCookie)
	if err != nil {
		return a, false
	}
	parts := strings.Split(c.Value, ".")
	if len(parts) != 3 || parts[0] == "" {
		return a, false
	}
	return attempt{parts[0], parts[1], parts[2]}, true
}

// newCookie returns the cookie of an attempt. It must be sent when the provider leads the browser
// back, so it cannot be SameSite=Strict.
func (p *Provider) newCookie(value string, lifetime time.Duration) *http.Cookie {
	return &http.Cookie{
		Name: attemptCookie, Value: value, Path: "/signin", MaxAge: int(lifetime / time.Second), HttpOnly: true, Secure: p.config.Secure, SameSite: http.SameSiteLaxMode,
	}
}
