package teampage

import (
	"errors"
	"net/http"
	"time"

	"sessiontree/internal/session/hub"
	"sessiontree/internal/session/team"
	"sessiontree/internal/web/oidclogin"
	"sessiontree/web/components"
)

// cookieName is the name of the cookie with the token of a browser.
const cookieName = "explorer_hub"

// RequestToken returns the token of the browser that sent a request, "" if it has none.
func RequestToken(r *http.Request) string {
	c, err := r.Cookie(cookieName)
	if err != nil {
		return ""
	}
	return c.Value
}

// showSignIn shows a button that uses the code of a link. A GET does not use it: programs
// that preview links would.
func (h *Handlers) showSignIn(w http.ResponseWriter, r *http.Request) error {
	w.Header().Set("Cache-Control", "no-store")
	return h.renderSignIn(w, r, http.StatusOK, r.URL.Query().Get("code"), "")
}

func (h *Handlers) renderSignIn(w http.ResponseWriter, r *http.Request, status int, code, problem string) error {
	m := components.SignInModel{Page: h.PageModel(r, "Sign in"), Hub: h.Name, Code: code, Problem: problem}
	if h.Provider != nil {
		m.Provider, m.ProviderHref = h.Provider.Host(), ProviderPath
	}
	m.Live = "" // there is no socket before signing in
	return h.Render(w, r, status, components.SignInPage(m))
}

// submitSignIn uses a code.
func (h *Handlers) submitSignIn(w http.ResponseWriter, r *http.Request) error {
	code := r.FormValue("code")
	token, err := h.Hub.SignIn(r.Context(), code)
	if errors.Is(err, team.ErrCode) {
		status, text := http.StatusForbidden, "The code is unknown, was used, or has expired. Ask an admin of the hub for a new link."
		if !h.Limiter.AllowInvalidLink(r) {
			status, text = http.StatusTooManyRequests, "Too many codes were tried. Wait a moment."
		}
		return h.renderSignIn(w, r, status, code, text)
	}
	if err != nil {
		return err
	}
	return h.signIn(w, r, token, hub.LoginLifetime)
}

// The addresses of signing in at an identity provider: where it begins, and where the provider
// leads back to.
const (
	ProviderPath = "/signin/provider"
	CallbackPath = "/signin/callback"
)

// startProvider leads the browser to the identity provider.
func (h *Handlers) startProvider(w http.ResponseWriter, r *http.Request) error {
	return h.explainProvider(w, r, h.Provider.Start(w, r))
}

// finishProvider signs in the person whom the identity provider names.
func (h *Handlers) finishProvider(w http.ResponseWriter, r *http.Request) error {
	w.Header().Set("Cache-Control", "no-store")
	p, err := h.Provider.Finish(w, r)
	if err != nil {
		return h.explainProvider(w, r, err)
	}
	token, err := h.Hub.SignInSubject(r.Context(), p.Subject, p.Name, p.Email)
	if err != nil {
		return h.explainProvider(w, r, err)
	}
	return h.signIn(w, r, token, hub.ProviderLoginLifetime)
}

// signIn gives the browser its token and shows the sessions.
func (h *Handlers) signIn(w http.ResponseWriter, r *http.Request, token string, lifetime time.Duration) error {
	http.SetCookie(w, h.newCookie(token, lifetime))
	return redirect(w, r, "/")
}

// explainProvider shows why somebody could not sign in.
func (h *Handlers) explainProvider(w http.ResponseWriter, r *http.Request, err error) error {
	var refused oidclogin.RefusedError
	switch {
	case errors.As(err, &refused):
		return h.renderSignIn(w, r, http.StatusForbidden, "", refused.Reason)
	case errors.Is(err, hub.ErrNoAccess):
		return h.renderSignIn(w, r, http.StatusForbidden, "", problemText(err))
	case errors.Is(err, oidclogin.ErrUnreachable):
		h.Log.Error("signing in at the identity provider", "err", err)
		return h.renderSignIn(w, r, http.StatusBadGateway, "", h.Provider.Host()+" cannot be reached, or its response is not valid. Try again, or ask an admin: the log of the hub has the reason.")
	}
	return err
}

// newCookie returns the cookie with the token of a browser. It is sent when a link of another
// site is followed, but not with forms or requests of another site.
func (h *Handlers) newCookie(token string, lifetime time.Duration) *http.Cookie {
	return &http.Cookie{
		Name: cookieName, Value: token, Path: "/", MaxAge: int(lifetime / time.Second), HttpOnly: true, Secure: h.Secure, SameSite: http.SameSiteLaxMode,
	}
}

// signOut forgets the token of the browser.
func (h *Handlers) signOut(w http.ResponseWriter, r *http.Request) error {
	if err := h.Hub.SignOut(r.Context(), RequestToken(r)); err != nil {
		return err
	}
	http.SetCookie(w, h.newCookie("", -time.Second))
	return redirect(w, r, "/signin")
}
