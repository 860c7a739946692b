package catalog_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/catalog"
	"sessiontree/internal/session/store"
)

// The list and the session itself know when the agent last wrote, also after the
// explorer was started again: what it wrote itself does not count.
func TestAgentWrote(t *testing.T) {
	dir, cacheDir := t.TempDir(), t.TempDir()
	path := filepath.Join(dir, "s.jsonl")
	write(t, path, header("s1"), user("u", "", 1, "x"), answer("a", "u", 2, 0))
	old := time.Now().Add(-time.Hour).Truncate(time.Microsecond)
	if err := os.Chtimes(path, old, old); err != nil {
		t.Fatal(err)
	}
	start := func() (*catalog.Catalog, *store.Session) {
		t.Helper()
		lib := library(t, dir)
		c := catalog.New(catalog.Config{Library: lib, CacheDir: cacheDir})
		fill(t, c)
		s, err := lib.Open(ctx, path)
		if err != nil {
			t.Fatal(err)
		}
		return c, s
	}
	check := func(what string, c *catalog.Catalog, s *store.Session, want time.Time) {
		t.Helper()
		c.UpdatePaths(ctx, path)
		if _, err := s.Refresh(ctx); err != nil {
			t.Fatal(err)
		}
		if got := c.Sessions()[0].AgentWrote; !got.Equal(want) || !s.LastAgentWrite().Equal(want) {
			t.Errorf("%s: the list says %v, the session %v, want %v", what, got, s.LastAgentWrite(), want)
		}
	}
	c, s := start()
	check("at first", c, s, old)
	if _, err := s.ApplyChange(ctx, session.Change{Op: session.OpLabel, Entry: "u", Text: "mine"}, store.Precondition{}); err != nil {
		t.Fatal(err)
	}
	check("labelled", c, s, old)
	if err := c.Save(); err != nil {
		t.Fatal(err)
	}
	c, s = start()
	check("started again", c, s, old)
	add(t, path, user("b", "a", 9, "y"))
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	check("the agent wrote", c, s, info.ModTime())
}
