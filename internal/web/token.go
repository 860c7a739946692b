package web

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
	tokenParam = "token" // query parameter that lets a browser in
	codeParam  = "code"  // query parameter that lets the user's own browser in once

	// cookieMaxAge is how long a browser that showed the token stays let in.
	cookieMaxAge = 365 * 24 * time.Hour
	// oneTimeCodeMaxAge is how long a code is valid: a browser may have to start first.
	oneTimeCodeMaxAge = 30 * time.Second
)

// isServerToken reports whether token is the server's.
func (a *accessPolicy) isServerToken(token string) bool {
	return a.token != "" && subtle.ConstantTimeCompare([]byte(token), []byte(a.token)) == 1
}

// computeMAC returns a hash of parts that only who has the token can make.
func (a *accessPolicy) computeMAC(parts ...string) string {
	h := hmac.New(sha256.New, []byte(a.token))
	h.Write([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(h.Sum(nil))
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

// cookieValue returns what the cookie of a peer has to be. Other servers on this
// host see it too, so it is not the token, and it is good on one port and for the
// one user only whose browser got it. It is "" for a peer that gets none.
func (a *accessPolicy) cookieValue(p peer) string {
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

func (a *accessPolicy) hasValidCookie(r *http.Request) bool {
	want := a.cookieValue(requestPeer(r))
	c, err := r.Cookie(cookieName(r))
	return err == nil && want != "" && subtle.ConstantTimeCompare([]byte(c.Value), []byte(want)) == 1
}

// setAccessCookie lets a browser in and takes what let it in out of the address, where
// it would end up in the history and in screenshots.
func (a *accessPolicy) setAccessCookie(w http.ResponseWriter, r *http.Request) {
	http.SetCookie(w, &http.Cookie{
		Name: cookieName(r), Value: a.cookieValue(requestPeer(r)), Path: "/", MaxAge: int(cookieMaxAge / time.Second),
		HttpOnly: true, Secure: a.servesTLS, SameSite: http.SameSiteStrictMode,
	})
	w.Header().Set("Cache-Control", "no-store")
	// Its escaping is kept: an id may hold a slash.
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

// oneTimeCode lets one browser in: that of the user who started the program. Unlike
// the token it may be named on a command line, which every user can read: it is
// valid once, for seconds, and where the system tells the users of sockets for the
// same user only.
type oneTimeCode struct {
	mu      sync.Mutex
	value   string
	expires time.Time
	used    bool
}

// NewOneTimeCode returns the query of an address that lets the user's browser in once.
func (s *Server) NewOneTimeCode() string {
	c := &s.access.oneTimeCode
	c.mu.Lock()
	defer c.mu.Unlock()
	c.value, c.expires, c.used = rand.Text(), s.now().Add(oneTimeCodeMaxAge), false
	return url.Values{codeParam: {c.value}}.Encode()
}

// redeemCode reports whether a code lets the request in, which it does once.
func (s *Server) redeemCode(r *http.Request, code string) bool {
	c := &s.access.oneTimeCode
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.value == "" || subtle.ConstantTimeCompare([]byte(code), []byte(c.value)) != 1 || !s.now().Before(c.expires) {
		return false
	}
	if !s.access.isOwner(requestPeer(r)) || isForwarded(r) {
		s.log.Warn("someone else tried to use the code that opens the browser")
		return false
	}
	if c.used {
		s.log.Warn("the code that opens the browser was used twice; if you did not open it twice, run: explorer token --new")
		return false
	}
	c.used = true
	return true
}
