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

// demo copies the built-in samples into a directory, dated as if they had been
// written long ago, and answers it.
func demo(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(harness.Root(t), "cmd", "explorer", "demo"))); err != nil {
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

// sample finds the file of the demo whose name or content has the words.
func sample(t *testing.T, dir, words string) string {
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

// showcase is the sample with the most to see.
func showcase(t *testing.T, dir string) string {
	t.Helper()
	return sample(t, dir, `"name":"Tile cache"`)
}

// Without any session the program serves its samples, and every page of them
// comes up without a complaint.
func TestDemo(t *testing.T) {
	server := harness.Start(t) // its home is empty
	p := chromium(t).Page(t)
	p.Open(server.URL)
	p.Wait(`document.querySelectorAll("a.srow").length === 16`)
	if !strings.Contains(server.Log(), "demo") {
		t.Errorf("the program did not say that it shows the demo: %q", server.Log())
	}
	for _, href := range harness.Eval[[]string](p, `[...document.querySelectorAll("a.srow")].map(a => a.getAttribute("href"))`) {
		p.Open(server.URL + href)
		p.Has("#tree .row .leaf-tag")
		p.Has("#path .entry, #path li")
		p.Open(server.URL + strings.SplitN(href, "?", 2)[0] + "?filter=all&layout=outline")
		p.Has("#tree .row")
	}
}
