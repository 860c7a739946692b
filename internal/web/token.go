package web

import (
	"crypto/subtle"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

const (
	tokenParam = "token" // query parameter that lets a browser in

	// cookieAge is how long a browser that showed the token stays let in.
	cookieAge = 365 * 24 * time.Hour
)

// matches reports whether token is the server's.
func (a *access) matches(token string) bool {
	return a.token != "" && subtle.ConstantTimeCompare([]byte(token), []byte(a.token)) == 1
}

// cookieName carries the port that the browser sees, because browsers send the
// cookies of every port of a host to all of them.
func cookieName(r *http.Request) string {
	_, port, err := net.SplitHostPort(r.Host)
	if err != nil {
		port = "default"
	}
	return "explorer_" + port
}

func (a *access) showsCookie(r *http.Request) bool {
	c, err := r.Cookie(cookieName(r))
	return err == nil && a.matches(c.Value)
}

// setCookie lets a browser in and takes what let it in out of the address, where
// it would end up in the history and in screenshots.
func (a *access) setCookie(w http.ResponseWriter, r *http.Request) {
	http.SetCookie(w, &http.Cookie{
		Name: cookieName(r), Value: a.token, Path: "/", MaxAge: int(cookieAge / time.Second),
		HttpOnly: true, Secure: a.secure, SameSite: http.SameSiteStrictMode,
	})
	w.Header().Set("Cache-Control", "no-store")
	// Its escaping is kept: an id may hold a slash.
	clean := url.URL{
		Path:    "/" + strings.TrimLeft(r.URL.Path, "/"),
		RawPath: "/" + strings.TrimLeft(r.URL.EscapedPath(), "/"),
	}
	q := r.URL.Query()
	q.Del(tokenParam)
	clean.RawQuery = q.Encode()
	http.Redirect(w, r, clean.String(), http.StatusSeeOther)
}
