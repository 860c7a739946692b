//go:build e2e

package harness

import (
	"bytes"
	"fmt"
	"image/png"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// For a failed test every page and the server log are saved in a directory that the
// output names; for a passed test nothing is.
func TestArtifacts(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/missing" {
			http.NotFound(w, r)
			return
		}
		fmt.Fprintf(w, `<!doctype html><title>t</title><link rel="icon" href="data:,"><p>This is %s</p><input value="typed" autofocus><img src="/missing"><script>console.info("from the page")</script>`, r.URL.Path)
	}))
	defer site.Close()
	browser := NewBrowser(t)
	defer browser.Close()
	t.Setenv("FAILURES", t.TempDir())
	dir := filepath.Join(os.Getenv("FAILURES"), "TestArtifacts.fails")
	old := filepath.Join(dir, "of-an-earlier-run.png")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(old, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	run := func(t *testing.T, fail func(*fakeTest)) *fakeTest {
		s := &fakeTest{T: t}
		server := StartServer(s, t.TempDir())
		visit := browser.NewProfile(s)
		for _, path := range []string{"/one", "/two"} {
			p := visit.NewPage()
			p.AllowConsole("404|from the page")
			p.Open(site.URL + path)
			p.WaitForElement("input:focus")
		}
		server.GetPage("/")
		fail(s)
		s.finish()
		return s
	}
	t.Run("passes", func(t *testing.T) {
		s := run(t, func(*fakeTest) {})
		if _, err := os.Stat(artifactDir(s)); !os.IsNotExist(err) || len(s.failures) > 0 {
			t.Errorf("kept something of a test that passed (%v), failures %q", err, s.failures)
		}
	})
	t.Run("fails", func(t *testing.T) {
		s := run(t, func(s *fakeTest) { s.Errorf("wrong") })
		if len(s.failures) != 1 || !strings.Contains(strings.Join(s.notes, "\n"), dir) {
			t.Errorf("failures %q, notes %q; want %s to be named", s.failures, s.notes, dir)
		}
		for n, path := range []string{"/one", "/two"} {
			name := filepath.Join(dir, fmt.Sprintf("page-%d", n+1))
			if c, err := png.DecodeConfig(bytes.NewReader(readArtifact(t, name+".png"))); err != nil || c.Width != 1440 {
				t.Errorf("%s.png: %v, %d wide", name, err, c.Width)
			}
			checkContains(t, name+".html", "This is "+path)
			checkContains(t, name+".log", "test     open "+site.URL+path, "console  info: from the page", "/missing: 404", `value "typed"`)
		}
		checkContains(t, filepath.Join(dir, "server-1.log"), "http://127.0.0.1:")
		if _, err := os.Stat(old); !os.IsNotExist(err) {
			t.Errorf("a file of an earlier run is still there (%v)", err)
		}
	})
}

func readArtifact(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Error(err)
	}
	return data
}

func checkContains(t *testing.T, path string, words ...string) {
	t.Helper()
	data := string(readArtifact(t, path))
	for _, w := range words {
		if !strings.Contains(data, w) {
			t.Errorf("%s has no %q:\n%s", path, w, data)
		}
	}
}
