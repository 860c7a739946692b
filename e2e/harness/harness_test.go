//go:build e2e

package harness

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// fakeTest is a T that records failures instead of failing.
type fakeTest struct {
	*testing.T
	failures []string
	notes    []string
	cleanups []func()
}

func (s *fakeTest) Failed() bool { return len(s.failures) > 0 }
func (s *fakeTest) Logf(format string, args ...any) {
	s.notes = append(s.notes, fmt.Sprintf(format, args...))
}
func (s *fakeTest) Errorf(format string, args ...any) {
	s.failures = append(s.failures, fmt.Sprintf(format, args...))
}
func (s *fakeTest) Cleanup(f func()) { s.cleanups = append(s.cleanups, f) }
func (s *fakeTest) finish() {
	for i := len(s.cleanups) - 1; i >= 0; i-- {
		s.cleanups[i]()
	}
}

// Console messages, uncaught exceptions, content policy reports and accessibility
// violations fail a test; a clean page does not.
func TestPage_ReportsProblems(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", "default-src 'self'; img-src 'self' data:")
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		switch r.URL.Path {
		case "/x.js":
			w.Header().Set("Content-Type", "text/javascript")
			fmt.Fprint(w, "console.error('loud')")
		case "/throw.js":
			w.Header().Set("Content-Type", "text/javascript")
			fmt.Fprint(w, "throw new Error('thrown')")
		case "/dark.css":
			w.Header().Set("Content-Type", "text/css")
			fmt.Fprint(w, "@media (prefers-color-scheme: dark) { p { background: #111; color: #222 } }")
		case "/x.png":
			http.NotFound(w, r)
		default:
			fmt.Fprint(w, `<!doctype html><html lang="en"><title>t</title><link rel="icon" href="data:,"><main><h1>t</h1>`+bodies[r.URL.Path])
		}
	}))
	defer site.Close()
	browser := NewBrowser(t)
	defer browser.Close()
	for path, want := range map[string]string{
		"/clean": "", "/console": "loud", "/exception": "thrown", "/last": "of the last moment", "/allowed": "", "/inline": "Content Security Policy", "/style": "Content Security Policy", "/missing": "404", "/unnamed": "button-name", "/dark": "in the dark theme",
	} {
		t.Run(strings.TrimPrefix(path, "/"), func(t *testing.T) {
			s := &fakeTest{T: t}
			p := browser.NewPage(s)
			p.Open(site.URL + path)
			p.WaitUntil(`document.readyState === "complete"`)
			if path == "/clean" || path == "/unnamed" || path == "/dark" {
				p.AllowConsole("unsafe-eval|axe")
				t.Setenv("CI", "1") // both themes are checked only in CI
				p.CheckAccessibility(path)
			}
			if path == "/allowed" {
				p.AllowConsole("thrown")
			}
			if path == "/last" {
				p.RunScript(`queueMicrotask(() => { throw new Error("of the last moment") })`)
			}
			s.finish()
			got := strings.Join(s.failures, "\n")
			if want == "" && got != "" || !strings.Contains(got, want) {
				t.Errorf("reported %q, want %q", got, want)
			}
		})
	}
}

var bodies = map[string]string{
	"/clean":     `<p>fine</p>`,
	"/console":   `<script src="/x.js"></script>`,
	"/exception": `<script src="/throw.js"></script>`,
	"/last":      `<p>fine until the test ends</p>`,
	"/allowed":   `<script src="/throw.js"></script>`,
	"/inline":    `<script>window.ran = true</script>`,
	"/style":     `<p style="color: red">red</p>`,
	"/missing":   `<img alt="" src="/none/../x.png?404">`,
	"/unnamed":   `<button></button>`,
	"/dark":      `<link rel="stylesheet" href="/dark.css"><p>fine in light</p>`,
}
