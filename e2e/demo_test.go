//go:build e2e

package e2e

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sessiontree/e2e/harness"
)

// copyDemo copies the built-in samples into a directory with old modification times.
func copyDemo(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(harness.SourceRoot(t), "internal", "cli", "serve", "demo"))); err != nil {
		t.Fatal(err)
	}
	old := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			err = os.Chtimes(path, old, old)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// findSample returns the sample whose content contains words.
func findSample(t *testing.T, dir, words string) string {
	t.Helper()
	found := ""
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if strings.Contains(string(text), words) {
			found = path
		}
		return err
	})
	if err != nil || found == "" {
		t.Fatalf("no sample with %q (%v)", words, err)
	}
	return found
}

// tileCacheSample returns the sample with the most features.
func tileCacheSample(t *testing.T, dir string) string {
	t.Helper()
	return findSample(t, dir, `"name":"Tile cache"`)
}

// Without sessions the program serves its samples, and each page of them loads without
// console messages.
func TestDemo(t *testing.T) {
	server := harness.StartServer(t) // its home is empty
	p := sharedBrowser(t).NewPage(t)
	p.Open(server.URL)
	p.WaitUntil(`document.querySelectorAll("a.session-link").length === 18`)
	if !strings.Contains(server.Output(), "demo") {
		t.Errorf("the program did not say that it shows the demo: %q", server.Output())
	}
	p.WaitForText("#sessions", "Working")
	links := harness.EvalScript[[]string](p, `[...document.querySelectorAll("a.session-link")].map(a => a.getAttribute("href"))`)
	for _, href := range links {
		p.Open(server.URL + href)
		p.WaitForElement("#tree .row .leaf-tag")
		p.WaitForElement("#path .entry, #path li")
		p.Open(server.URL + strings.SplitN(href, "?", 2)[0] + "?filter=all&layout=outline")
		p.WaitForElement("#tree .row")
	}
}

// A visitor of the demo sees a session that waits with its question, one that works, and who wrote
// the lines of a file.
func TestDemo_NowAndFiles(t *testing.T) {
	server := harness.StartServer(t)
	p := sharedBrowser(t).NewPage(t)
	p.Open(server.URL + "/now")
	p.WaitForText(".now-row--waits", "Which almanac should the year be compared with?")
	p.WaitForText(".now-row--waits", "The port's tables")
	p.WaitForText(".now-row--waits", "Recorded question")
	p.WaitForText(".now-row--working", "go test -race")
	p.Open(server.URL + "/files?path=/home/dev/tides/tide.py")
	p.WaitForText(".blame", "Longitude of the Moon's ascending node")
	p.WaitForText(".history-side", "Nodal corrections for Brest")
	if n := p.CountElements(".blame-edit a"); n != 2 {
		t.Errorf("%d blocks of lines have an edit, want 2", n)
	}
}
