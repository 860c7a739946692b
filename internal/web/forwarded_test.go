package web

import (
	"fmt"
	"net/http"
	"net/url"
	"testing"
)

// loginCookie returns the cookie that a browser gets for the token.
func loginCookie(t *testing.T, s *site) *http.Cookie {
	t.Helper()
	a := s.get("/?token=" + testToken)
	if len(a.Cookies()) != 1 {
		t.Fatalf("status %d, cookies %v", a.StatusCode, a.Cookies())
	}
	return a.Cookies()[0]
}

// A proxy of the same user is not trusted, because its clients may be others. Shares need
// no trust.
func TestForwarded(t *testing.T) {
	s := newSharing(t)
	k := newShareable(s, "0c0c0c20")
	link := s.share(k, nil)
	for _, name := range []string{"Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "x-forwarded-anything", "X-Real-IP"} {
		by := header(name, "for=203.0.113.9")
		for _, path := range []string{"/", k.base, k.base + "/rows", "/live", "/shares"} {
			if a := s.get(path, by); a.StatusCode != http.StatusUnauthorized {
				t.Errorf("%s with %s: status %d, want 401", path, name, a.StatusCode)
			}
		}
		if a := s.get("/healthz?verbose", by); a.body != "ok\n" {
			t.Errorf("healthz?verbose with %s: %q", name, a.body)
		}
		cookie := loginCookie(t, s)
		s.getOK("/", by, func(r *http.Request) { r.AddCookie(cookie) })
		s.getOK(link, by)
		s.getOK(link+"/rows", by)
	}
	if a := s.post(k.base+"/label", url.Values{"entry": {k.first}, "label": {"x"}}, header("X-Forwarded-For", "203.0.113.9")); a.StatusCode != http.StatusUnauthorized {
		t.Errorf("a label through a proxy: status %d, want 401", a.StatusCode)
	}
}

// A server with a further host name is reached through a proxy. Then everybody needs the
// token, under each of the names.
func TestHosts_needToken(t *testing.T) {
	s := newSite(t, func(c *siteConfig) { c.auth.Hosts = []string{"tree.example"} })
	s.fillCatalog()
	for _, host := range []string{"tree.example", "localhost", ""} {
		to := header("Host", host)
		if a := s.get("/", to); a.StatusCode != http.StatusUnauthorized {
			t.Errorf("at %q: status %d, want 401", host, a.StatusCode)
		}
		a := s.get(fmt.Sprint("/?token=", testToken), to)
		s.getOK("/", to, func(r *http.Request) { r.AddCookie(a.Cookies()[0]) })
	}
}
