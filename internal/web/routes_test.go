package web

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"sessiontree/web/static"
)

func remove(t testing.TB, path string) {
	t.Helper()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
}

func TestHeaders(t *testing.T) {
	s := newSite(t)
	s.fillCatalog()
	for _, url := range []string{"/", "/healthz", "/nowhere", static.Prefix() + "/js/pages/session.js"} {
		h := s.get(url).Header
		for name, want := range map[string]string{
			"Content-Security-Policy":      contentSecurityPolicy,
			"X-Content-Type-Options":       "nosniff",
			"Referrer-Policy":              "no-referrer",
			"Cross-Origin-Opener-Policy":   "same-origin",
			"Cross-Origin-Resource-Policy": "same-origin",
		} {
			if got := h.Get(name); got != want {
				t.Errorf("%s: %s = %q, want %q", url, name, got, want)
			}
		}
	}
	for _, never := range []string{"unsafe", "*", "http:", "https:"} {
		if strings.Contains(contentSecurityPolicy, never) {
			t.Errorf("the policy allows %s", never)
		}
	}
}

func TestStatic(t *testing.T) {
	s := newSite(t, func(c *siteConfig) { c.auth.RequireToken = true })
	main := static.Prefix() + "/js/pages/session.js"
	a := s.getOK(main)
	if got := a.Header.Get("Cache-Control"); !strings.Contains(got, "immutable") {
		t.Errorf("Cache-Control = %q, want immutable", got)
	}
	if got := a.Header.Get("Content-Type"); got != "text/javascript; charset=utf-8" {
		t.Errorf("Content-Type = %q", got)
	}
	if a := s.get(main, header("If-None-Match", a.Header.Get("ETag"))); a.StatusCode != http.StatusNotModified {
		t.Errorf("asked again: status %d, want 304", a.StatusCode)
	}
	for _, url := range []string{
		"/static/0000000000000000/js/pages/session.js", static.Prefix() + "/", static.Prefix() + "/js", static.Prefix() + "/js/",
		static.Prefix() + "/../static.go", static.Prefix() + "/static.go", static.Prefix() + "/js/nothing.js",
	} {
		if a := s.get(url); a.StatusCode != http.StatusNotFound {
			t.Errorf("GET %s: status %d, want 404", url, a.StatusCode)
		}
	}
}

func TestHost(t *testing.T) {
	s := newSite(t, func(c *siteConfig) { c.auth.Hosts = []string{"tree.lan"} })
	s.fillCatalog()
	for host, want := range map[string]int{"localhost:1": 401, "tree.lan": 401, "127.0.0.1": 401, "evil.example": 421, "127.0.0.1.nip.io:80": 421} {
		for _, url := range []string{"/", "/healthz", "/live"} {
			a := s.get(url, header("Host", host))
			if (a.StatusCode == 421) != (want == 421) {
				t.Errorf("GET %s at Host %s: status %d, want %d", url, host, a.StatusCode, want)
			}
		}
	}
}

func TestToken(t *testing.T) {
	s := newSite(t, func(c *siteConfig) { c.auth.RequireToken = true })
	s.fillCatalog()
	token := strings.Repeat("ab", 24)
	a := s.get("/")
	if a.StatusCode != http.StatusUnauthorized || !strings.Contains(a.body, "/?token=TOKEN") || !strings.Contains(a.body, "explorer token") {
		t.Errorf("without a token: status %d, want 401 and how to get in\n%.600s", a.StatusCode, a.body)
	}
	if strings.Contains(a.body, token) {
		t.Error("the page tells the token")
	}
	if a := s.get("/?token=" + strings.Repeat("ba", 24)); a.StatusCode != http.StatusUnauthorized {
		t.Errorf("with a wrong token: status %d, want 401", a.StatusCode)
	}
	if a := s.get("/?token="); a.StatusCode != http.StatusUnauthorized {
		t.Errorf("with an empty token: status %d, want 401", a.StatusCode)
	}
	if a := s.get("/healthz"); a.StatusCode != 200 || a.body != "ok\n" {
		t.Errorf("healthz for strangers = %d %q, want ok", a.StatusCode, a.body)
	}

	a = s.get("/?sort=cost&token=" + token)
	if a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != "/?sort=cost" {
		t.Fatalf("with the token: status %d to %q, want 303 to the clean address", a.StatusCode, a.Header.Get("Location"))
	}
	cookies := a.Cookies()
	if len(cookies) != 1 {
		t.Fatalf("%d cookies, want 1", len(cookies))
	}
	c := cookies[0]
	_, port, _ := strings.Cut(strings.TrimPrefix(s.http.URL, "http://"), ":")
	if !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || c.Secure || c.Path != "/" || c.Name != "explorer_"+port {
		t.Errorf("cookie = %+v", c)
	}
	s.getOK("/", func(r *http.Request) { r.AddCookie(c) })
	stale := *c
	stale.Value = strings.Repeat("0", len(c.Value)) // it may begin with any digit
	if a := s.get("/", func(r *http.Request) { r.AddCookie(&stale) }); a.StatusCode != http.StatusUnauthorized {
		t.Errorf("with a wrong cookie: status %d, want 401", a.StatusCode)
	}
	if a := s.get("//evil.example/?token=" + token); strings.HasPrefix(a.Header.Get("Location"), "//") {
		t.Errorf("redirected to %q", a.Header.Get("Location"))
	}
}

// A server without a token does not accept an empty one.
func TestNoToken(t *testing.T) {
	s := newSite(t, func(c *siteConfig) { c.auth.RequireToken, c.auth.Token = true, "" })
	if a := s.get("/?token="); a.StatusCode != http.StatusUnauthorized {
		t.Errorf("status %d, want 401", a.StatusCode)
	}
}

func TestErrorsForPrograms(t *testing.T) {
	s := newSite(t)
	s.fillCatalog()
	a := s.get("/sessions/0123456789abcdef", header("Accept", "application/json"))
	if a.StatusCode != 404 || a.Header.Get("Content-Type") != "application/problem+json" || !strings.Contains(a.body, `"status":404`) {
		t.Errorf("got %d %s %s", a.StatusCode, a.Header.Get("Content-Type"), a.body)
	}
}

func TestWritesAreRefused(t *testing.T) {
	s := newSite(t)
	for _, tt := range []struct {
		origin string
		want   int
	}{{"", http.StatusMethodNotAllowed}, {"http://evil.example", http.StatusForbidden}} {
		a := s.get("/", func(r *http.Request) {
			r.Method = "POST"
			if tt.origin != "" {
				r.Header.Set("Origin", tt.origin)
			}
		})
		if a.StatusCode != tt.want {
			t.Errorf("POST from %q: status %d, want %d", tt.origin, a.StatusCode, tt.want)
		}
	}
}

func TestCompressed(t *testing.T) {
	s := newSite(t)
	s.fillCatalog()
	a := s.getOK("/", header("Accept-Encoding", "gzip"))
	if a.Header.Get("Content-Encoding") != "gzip" {
		t.Errorf("Content-Encoding = %q, want gzip", a.Header.Get("Content-Encoding"))
	}
}

// Browsers request it for raw lines and images, which do not name an icon.
func TestFavicon(t *testing.T) {
	a := newSite(t).getOK("/favicon.ico")
	if got := a.Header.Get("Content-Type"); got != "image/svg+xml" || !strings.Contains(a.body, "<svg") {
		t.Errorf("favicon of type %q: %.80s", got, a.body)
	}
}

// A panic yields an error page and a log message, not a broken connection.
func TestPanic(t *testing.T) {
	var log bytes.Buffer
	s := newSite(t, func(c *siteConfig) { c.Log = slog.New(slog.NewTextHandler(&log, nil)) })
	h := s.recoverPanics(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("secret detail") }))
	r := httptest.NewRequest("GET", "/x", nil)
	r.Header.Set("Accept", "text/html")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if w.Code != http.StatusInternalServerError || strings.Contains(w.Body.String(), "secret") || !strings.Contains(w.Body.String(), "Something went wrong") {
		t.Errorf("status %d, %.300s", w.Code, w.Body)
	}
	if !strings.Contains(log.String(), "secret detail") || !strings.Contains(log.String(), "routes_test.go") {
		t.Errorf("the log says %q", log.String())
	}
}

func TestHead(t *testing.T) {
	s := newSite(t)
	s.fillCatalog()
	if a := s.get("/", func(r *http.Request) { r.Method = "HEAD" }); a.StatusCode != 200 || a.body != "" {
		t.Errorf("HEAD /: status %d and %d bytes", a.StatusCode, len(a.body))
	}
}
