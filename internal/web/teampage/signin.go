package teampage

import (
	"errors"
	"net/http"
	"time"

	"sessiontree/internal/session/hub"
	"sessiontree/internal/session/team"
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
	http.SetCookie(w, h.newCookie(token, hub.LoginLifetime))
	return redirect(w, r, "/")
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
