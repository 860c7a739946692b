package catalog_test

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"sessiontree/internal/session/catalog"
)

// edited returns an edit of a file and its result.
func edited(id, parent string, m int, file string, failed bool) string {
	return line("message", id, parent, m, fmt.Sprintf(`,"message":{"role":"assistant","content":[{"type":"toolCall","id":"c%s","name":"edit","arguments":{"path":%q}}],"provider":"p","model":"m-1"}`, id, file)) +
		line("message", id+"r", id, m, fmt.Sprintf(`,"message":{"role":"toolResult","toolCallId":"c%s","toolName":"edit","content":[],"isError":%v}`, id, failed))
}

// Changed files are found by their paths and their ends, in sessions and in what is appended to
// them, with a cache and without one.
func TestFindChangedFiles(t *testing.T) {
	t.Parallel()
	dir, cache := t.TempDir(), t.TempDir()
	one, two := filepath.Join(dir, "one.jsonl"), filepath.Join(dir, "two.jsonl")
	write(t, one, header("one"), user("a", "", 1, "x"), edited("b", "a", 2, "src/server.go", false), edited("c", "br", 3, "src/failed.go", true), edited("d", "cr", 4, "/home/dev/p/observer.go", false))
	write(t, two, header("two"), user("a", "", 5, "x"), edited("b", "a", 6, "~/p/src/server.go", false), edited("c", "br", 7, "/elsewhere/server.go", false))
	find := func(c *catalog.Catalog, suffix string) string {
		var found []string
		for _, f := range c.FindChangedFiles("/home/dev", suffix) {
			text := f.Path + ":"
			for _, s := range f.Sessions {
				text += " " + s.ID
			}
			found = append(found, text)
		}
		return strings.Join(found, ", ")
	}
	check := func(c *catalog.Catalog) {
		t.Helper()
		for suffix, want := range map[string]string{
			"server.go":                   "/elsewhere/server.go: two, /home/dev/p/src/server.go: two one",
			"src/server.go":               "/home/dev/p/src/server.go: two one",
			"/home/dev/p/src/server.go":   "/home/dev/p/src/server.go: two one",
			"/src/server.go":              "",
			"observer.go":                 "/home/dev/p/observer.go: one",
			"failed.go":                   "",
			"":                            "",
			"rver.go":                     "",
			"/home/dev/p/src/server.go/":  "/home/dev/p/src/server.go: two one",
			"/home/dev/p/src/../other.go": "",
		} {
			if got := find(c, suffix); got != want {
				t.Errorf("files with %q: %q, want %q", suffix, got, want)
			}
		}
	}
	c := filled(t, cache, dir)
	check(c)
	check(filled(t, cache, dir)) // from the cache
	add(t, one, edited("e", "dr", 8, "late.go", false))
	c.UpdatePaths(ctx, one)
	if got := find(c, "late.go"); got != "/home/dev/p/late.go: one" {
		t.Errorf("a file that was changed later: %q", got)
	}
}

// The work for a session grows with the files that it changed, when it is read in full and when
// entries are appended to it.
func TestFindChangedFiles_growth(t *testing.T) {
	edits := func(from, n int) string {
		var b strings.Builder
		for i := from; i < from+n; i++ {
			parent := "a"
			if i > 0 {
				parent = fmt.Sprintf("e%dr", i-1)
			}
			b.WriteString(edited(fmt.Sprintf("e%d", i), parent, 1, fmt.Sprintf("dir%d/file.go", i), false))
		}
		return b.String()
	}
	allocated := func(n int) uint64 {
		dir := t.TempDir()
		path := filepath.Join(dir, "one.jsonl")
		write(t, path, header("one"), user("a", "", 1, "x"), edits(0, n))
		added := edits(n, n)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		c := filled(t, "", dir)
		add(t, path, added)
		c.UpdatePaths(ctx, path)
		runtime.ReadMemStats(&after)
		if got := c.Sessions()[0].FilesChanged; got != 2*n {
			t.Fatalf("%d files were changed, want %d", got, 2*n)
		}
		return after.TotalAlloc - before.TotalAlloc
	}
	few, many := allocated(300), allocated(2400)
	if many > 12*few {
		t.Errorf("%d bytes are allocated for 600 files, %d for 4,800", few, many)
	}
}

// The names of files that no session changes any more are forgotten when the cache is saved.
func TestFindChangedFiles_forgotten(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "one.jsonl")
	write(t, path, header("one"), user("a", "", 1, "x"), edited("b", "a", 2, "old.go", false))
	c := filled(t, t.TempDir(), dir)
	write(t, path, header("one"), user("a", "", 1, "x"), edited("b", "a", 2, "new.go", false), edited("c", "br", 3, "other.go", false))
	c.UpdatePaths(ctx, path)
	if err := c.Save(); err != nil {
		t.Fatal(err)
	}
	if got := c.FileNames(); got != 2 {
		t.Errorf("%d names are known, want 2", got)
	}
	if len(c.FindChangedFiles("/home/dev", "new.go")) != 1 {
		t.Error("a changed file is not found after the cache was saved")
	}
}

// Files are searched by a part of their path, those of the newest session first.
func TestSearchChangedFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "one.jsonl"), header("one"), user("a", "", 1, "x"), edited("b", "a", 2, "src/server.go", false), edited("c", "br", 3, "a.go", false), edited("d", "cr", 3, "failed.go", true))
	write(t, filepath.Join(dir, "two.jsonl"), header("two"), user("a", "", 5, "x"), edited("b", "a", 6, "~/p/src/Observer.go", false), edited("c", "br", 7, "/home/dev/p/src/server.go", false))
	c := filled(t, "", dir)
	for text, want := range map[string]string{
		"":       "/home/dev/p/src/Observer.go 1, /home/dev/p/src/server.go 2, /home/dev/p/a.go 1",
		"SERVER": "/home/dev/p/src/Observer.go 1, /home/dev/p/src/server.go 2",
		"c/ser":  "/home/dev/p/src/server.go 2",
		"failed": "",
	} {
		var found []string
		for _, f := range c.SearchChangedFiles("/home/dev", text) {
			found = append(found, fmt.Sprintf("%s %d", f.Path, len(f.Sessions)))
		}
		if got := strings.Join(found, ", "); got != want {
			t.Errorf("files with %q: %q, want %q", text, got, want)
		}
	}
}
