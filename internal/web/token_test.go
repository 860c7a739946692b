package web

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// Every server on this host sees the cookie. It is not the token, and it is valid for one
// port and one user only.
func TestCookie(t *testing.T) {
	var uid atomic.Int64
	uid.Store(int64(os.Geteuid()))
	fresh := func() *site {
		s := newSite(t, func(c *Config) {
			c.RequireToken = true
			c.peerUID = func(_, _ netip.AddrPort) (int, bool) { return int(uid.Load()), uid.Load() != -2 }
		})
		s.http.Config.SetKeepAlivesEnabled(false) // each request gets the current user
		s.fillCatalog()
		return s
	}
	s, elsewhere := fresh(), fresh()
	cookie := loginCookie(t, s)
	if strings.Contains(cookie, s.access.token) || len(cookie) != 64 {
		t.Errorf("the cookie is %q", cookie)
	}
	s.getOK("/", withCookie(s, cookie))
	for _, as := range []int64{1234, noUser, -2} {
		uid.Store(as)
		if a := s.get("/", withCookie(s, cookie)); a.StatusCode != http.StatusUnauthorized {
			t.Errorf("user %d with another's cookie: status %d, want 401", as, a.StatusCode)
		}
	}
	uid.Store(int64(os.Geteuid()))
	for name, a := range map[string]answer{
		"on another port":         elsewhere.get("/", withCookie(elsewhere, cookie)),
		"as the token":            s.get("/?token=" + cookie),
		"the token as a cookie":   s.get("/", withCookie(s, s.access.token)),
		"an empty cookie":         s.get("/", withCookie(s, "")),
		"the cookie of no token":  s.get("/", withCookie(s, (&accessPolicy{}).computeMAC("cookie", "0", "remote"))),
		"under another name":      s.get("/", header("Cookie", "explorer_1="+cookie)),
		"of another state's file": s.get("/", withCookie(s, (&accessPolicy{token: "x"}).cookieValue(requestPeer(asOwner(httptest.NewRequest("GET", "/", nil)))))),
	} {
		if a.StatusCode != http.StatusUnauthorized {
			t.Errorf("%s: status %d, want 401", name, a.StatusCode)
		}
	}
}

// A server without a token sets no cookie, since anybody could forge it.
func TestCookie_noToken(t *testing.T) {
	if v := (&accessPolicy{}).cookieValue(peer{}); v != "" {
		t.Errorf("the cookie is %q", v)
	}
}

// A code is valid once, for the same user, and for seconds.
func TestOneTimeCode(t *testing.T) {
	var uid, now atomic.Int64
	uid.Store(int64(os.Geteuid()))
	s := newSite(t, func(c *Config) {
		c.RequireToken = true
		c.peerUID = func(_, _ netip.AddrPort) (int, bool) { return int(uid.Load()), true }
	})
	s.http.Config.SetKeepAlivesEnabled(false)
	s.fillCatalog()
	start := time.Now()
	s.now = func() time.Time { return start.Add(time.Duration(now.Load())) }
	use := func(query string, change ...func(*http.Request)) int { return s.get("/?"+query, change...).StatusCode }

	if got := use(codeParam + "="); got != http.StatusUnauthorized {
		t.Errorf("before there is a code: status %d, want 401", got)
	}
	code := s.NewOneTimeCode()
	if strings.Contains(code, s.access.token) {
		t.Errorf("the code is %q", code)
	}
	uid.Add(1)
	if got := use(code); got != http.StatusUnauthorized {
		t.Errorf("another user: status %d, want 401", got)
	}
	uid.Add(-1)
	if got := use(code, header("X-Forwarded-For", "203.0.113.9")); got != http.StatusUnauthorized {
		t.Errorf("through a proxy: status %d, want 401", got)
	}
	a := s.get("/?" + code + "&sort=cost")
	if a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != "/?sort=cost" || len(a.Cookies()) != 1 {
		t.Fatalf("the user's browser: status %d to %q with %v", a.StatusCode, a.Header.Get("Location"), a.Cookies())
	}
	s.getOK("/", withCookie(s, a.Cookies()[0].Value))
	if got := use(code); got != http.StatusUnauthorized {
		t.Errorf("a second time: status %d, want 401", got)
	}
	late := s.NewOneTimeCode()
	now.Store(int64(oneTimeCodeMaxAge))
	if got := use(late); got != http.StatusUnauthorized {
		t.Errorf("too late: status %d, want 401", got)
	}
	if second := s.NewOneTimeCode(); second == late || use(second) != http.StatusSeeOther {
		t.Error("a new code does not let in")
	}
}
