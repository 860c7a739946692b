package auth

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	tokenParam = "token" // query parameter with the token
	codeParam  = "code"  // query parameter with a one-time code

	// cookieMaxAge is how long the cookie of a browser is valid.
	cookieMaxAge = 365 * 24 * time.Hour
	// oneTimeCodeMaxAge is how long a code is valid: enough for a browser to start.
	oneTimeCodeMaxAge = 30 * time.Second
)

// isServerToken reports whether token is the server's.
func (a *Policy) isServerToken(token string) bool {
	return a.token != "" && subtle.ConstantTimeCompare([]byte(token), []byte(a.token)) == 1
}

// computeMAC returns a keyed hash of parts under the token.
func (a *Policy) computeMAC(parts ...string) string {
	h := hmac.New(sha256.New, []byte(a.token))
	h.Write([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(h.Sum(nil))
}

// cookieName includes the port that the browser sees, because browsers send cookies to all
// ports of a host.
func cookieName(r *http.Request) string {
	_, port, err := net.SplitHostPort(r.Host)
	if err != nil {
		port = "default"
	}
	return "explorer_" + port
}

// cookieValue returns the valid cookie of a peer, or "" if the peer gets none. Other
// servers on this host see the cookie too, so it does not contain the token, and it is
// bound to the port and to the peer's user.
func (a *Policy) cookieValue(p peer) string {
	user := "remote"
	switch {
	case a.token == "":
		return ""
	case p.onThisHost && !p.uidKnown:
		user = "local"
	case p.onThisHost && p.uid == noUser:
		return ""
	case p.onThisHost:
		user = strconv.Itoa(p.uid)
	}
	return a.computeMAC("cookie", strconv.Itoa(int(p.local.Port())), user)
}

func (a *Policy) hasValidCookie(r *http.Request) bool {
	want := a.cookieValue(requestPeer(r))
	c, err := r.Cookie(cookieName(r))
	return err == nil && want != "" && subtle.ConstantTimeCompare([]byte(c.Value), []byte(want)) == 1
}

// setAccessCookie sets the cookie and redirects to the address without the token or code,
// which would remain in the history and on screenshots.
func (a *Policy) setAccessCookie(w http.ResponseWriter, r *http.Request) {
	http.SetCookie(w, &http.Cookie{
		Name: cookieName(r), Value: a.cookieValue(requestPeer(r)), Path: "/", MaxAge: int(cookieMaxAge / time.Second),
		HttpOnly: true, Secure: a.servesTLS, SameSite: http.SameSiteStrictMode,
	})
	w.Header().Set("Cache-Control", "no-store")
	// The escaping is kept because an id may contain a slash.
	clean := url.URL{
		Path:    "/" + strings.TrimLeft(r.URL.Path, "/"),
		RawPath: "/" + strings.TrimLeft(r.URL.EscapedPath(), "/"),
	}
	q := r.URL.Query()
	q.Del(tokenParam)
	q.Del(codeParam)
	clean.RawQuery = q.Encode()
	http.Redirect(w, r, clean.String(), http.StatusSeeOther)
}

// oneTimeCode admits one browser of the user who started the program. Unlike the token it
// may appear on a command line, which every user can read: it is valid once, for seconds,
// and only for the same user where the system reports the users of sockets.
type oneTimeCode struct {
	mu      sync.Mutex
	value   string
	expires time.Time
	used    bool
}

// NewOneTimeCode returns a query string that admits the user's browser once.
func (a *Policy) NewOneTimeCode() string {
	c := &a.oneTimeCode
	c.mu.Lock()
	defer c.mu.Unlock()
	c.value, c.expires, c.used = rand.Text(), a.now().Add(oneTimeCodeMaxAge), false
	return url.Values{codeParam: {c.value}}.Encode()
}

// redeemCode reports whether a code admits the request, and invalidates the code.
func (a *Policy) redeemCode(r *http.Request, code string) bool {
	c := &a.oneTimeCode
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.value == "" || subtle.ConstantTimeCompare([]byte(code), []byte(c.value)) != 1 || !a.now().Before(c.expires) {
		return false
	}
	if !a.isOwner(requestPeer(r)) || isForwarded(r) {
		a.log.Warn("someone else tried to use the code that opens the browser")
		return false
	}
	if c.used {
		a.log.Warn("the code that opens the browser was used twice; if you did not open it twice, run: explorer token --new")
		return false
	}
	c.used = true
	return true
}
