package auth

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

// site is a server that responds to every admitted request.
type site struct {
	t testing.TB
	*Policy
	http *httptest.Server
}

func newSite(t testing.TB, c Config) *site {
	c.Token = strings.Repeat("ab", 24)
	s := &site{t: t, Policy: NewPolicy(c)}
	t.Cleanup(s.Policy.Close)
	refuse := func(w http.ResponseWriter, _ *http.Request, err error) {
		http.Error(w, err.Error(), http.StatusUnauthorized)
	}
	ok := http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})
	s.http = httptest.NewUnstartedServer(s.RequireAccess(refuse)(ok))
	s.http.Config.ConnContext = s.ConnContext
	s.http.Config.SetKeepAlivesEnabled(false) // each request gets the current user
	s.http.Start()
	t.Cleanup(s.http.Close)
	return s
}

// get sends a request without following redirects; change may modify it.
func (s *site) get(url string, change ...func(*http.Request)) *http.Response {
	s.t.Helper()
	r, err := http.NewRequest("GET", s.http.URL+url, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	for _, f := range change {
		f(r)
	}
	client := http.Client{
		Transport:     s.http.Client().Transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	res, err := client.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	res.Body.Close()
	return res
}

// getOK is get that expects status 200.
func (s *site) getOK(url string, change ...func(*http.Request)) {
	s.t.Helper()
	if res := s.get(url, change...); res.StatusCode != http.StatusOK {
		s.t.Fatalf("GET %s: status %d, want 200", url, res.StatusCode)
	}
}

// withCookie adds a cookie with this server's name.
func withCookie(s *site, value string) func(*http.Request) {
	return func(r *http.Request) { r.AddCookie(&http.Cookie{Name: cookieName(r), Value: value}) }
}

// loginCookie returns the cookie that a browser gets for the token.
func loginCookie(t *testing.T, s *site) string {
	t.Helper()
	res := s.get("/?token=" + s.token)
	if len(res.Cookies()) != 1 {
		t.Fatalf("status %d, cookies %v", res.StatusCode, res.Cookies())
	}
	return res.Cookies()[0].Value
}

// Every server on this host sees the cookie. It is not the token, and it is valid for one
// port and one user only.
func TestCookie(t *testing.T) {
	var uid atomic.Int64
	uid.Store(int64(os.Geteuid()))
	fresh := func() *site {
		return newSite(t, Config{RequireToken: true, PeerUID: func(_, _ netip.AddrPort) (int, bool) { return int(uid.Load()), uid.Load() != -2 }})
	}
	s, elsewhere := fresh(), fresh()
	cookie := loginCookie(t, s)
	if strings.Contains(cookie, s.token) || len(cookie) != 64 {
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
	for name, a := range map[string]*http.Response{
		"on another port":         elsewhere.get("/", withCookie(elsewhere, cookie)),
		"as the token":            s.get("/?token=" + cookie),
		"the token as a cookie":   s.get("/", withCookie(s, s.token)),
		"an empty cookie":         s.get("/", withCookie(s, "")),
		"the cookie of no token":  s.get("/", withCookie(s, (&Policy{}).computeMAC("cookie", "0", "remote"))),
		"under another name":      s.get("/", func(r *http.Request) { r.Header.Set("Cookie", "explorer_1="+cookie) }),
		"of another state's file": s.get("/", withCookie(s, (&Policy{token: "x"}).cookieValue(peer{uidKnown: true, onThisHost: true, loopback: true, uid: os.Geteuid()}))),
	} {
		if a.StatusCode != http.StatusUnauthorized {
			t.Errorf("%s: status %d, want 401", name, a.StatusCode)
		}
	}
}

// A server without a token sets no cookie, since anybody could forge it.
func TestCookie_noToken(t *testing.T) {
	if v := (&Policy{}).cookieValue(peer{}); v != "" {
		t.Errorf("the cookie is %q", v)
	}
}

// A code is valid once, for the same user, and for seconds.
func TestOneTimeCode(t *testing.T) {
	var uid, now atomic.Int64
	uid.Store(int64(os.Geteuid()))
	start := time.Now()
	s := newSite(t, Config{
		RequireToken: true,
		PeerUID:      func(_, _ netip.AddrPort) (int, bool) { return int(uid.Load()), true },
		Now:          func() time.Time { return start.Add(time.Duration(now.Load())) },
	})
	use := func(query string, change ...func(*http.Request)) int { return s.get("/?"+query, change...).StatusCode }

	if got := use(codeParam + "="); got != http.StatusUnauthorized {
		t.Errorf("before there is a code: status %d, want 401", got)
	}
	code := s.NewOneTimeCode()
	if strings.Contains(code, s.token) {
		t.Errorf("the code is %q", code)
	}
	uid.Add(1)
	if got := use(code); got != http.StatusUnauthorized {
		t.Errorf("another user: status %d, want 401", got)
	}
	uid.Add(-1)
	if got := use(code, func(r *http.Request) { r.Header.Set("X-Forwarded-For", "203.0.113.9") }); got != http.StatusUnauthorized {
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
