package catalog_test

import (
	"path/filepath"
	"testing"
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/catalog"
	"sessiontree/internal/session/format"
	"sessiontree/internal/session/store"
)

// Annotations in a sidecar are listed like those in the file, also if another process
// wrote them, and are never written to the cache.
func TestSessions_Annotations(t *testing.T) {
	dir := t.TempDir()
	path, cache := filepath.Join(dir, "sessions", "a.jsonl"), filepath.Join(dir, "cache")
	write(t, path, `{"type":"session","version":3,"id":"Vq3xT9_aZk-1LmNoPqRsT","timestamp":"2026-01-02T03:00:00.000Z","cwd":"/home/dev/p","title":"A title"}`+"\n",
		user("u1", "", 1, "one"), answer("a1", "u1", 2, 0), label("l1", "a1", "u1", 3, "in the file"))
	write(t, filepath.Join(dir, "sessions", "b.jsonl"), `{"type":"session","id":"old","timestamp":"2026-01-02T03:00:00.000Z","cwd":"/home/dev/p"}`+"\n",
		`{"type":"message","timestamp":"2026-01-02T03:01:00.000Z","message":{"role":"user","content":"one","timestamp":1767323046000}}`+"\n")
	lib := func() *store.Library {
		lib, err := store.New(store.Config{Roots: []string{filepath.Join(dir, "sessions")}, Formats: format.All, StateDir: filepath.Join(dir, "state")})
		if err != nil {
			t.Fatal(err)
		}
		return lib
	}
	noted := make(chan struct{}, 1)
	here := catalog.New(catalog.Config{Library: lib(), CacheDir: cache, OnChange: func() {
		select {
		case noted <- struct{}{}:
		default:
		}
	}})
	fill(t, here)
	other := lib()
	change := func(name string, c session.Change) {
		t.Helper()
		s, err := other.Open(ctx, filepath.Join(dir, "sessions", name))
		if err == nil {
			_, err = s.ApplyChange(ctx, c, store.Precondition{})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	want := func(c *catalog.Catalog, a string, aLabels, bLabels int) {
		t.Helper()
		for _, s := range c.Sessions() {
			name, labels := a, aLabels
			if s.ID == "old" {
				name, labels = "", bLabels
			}
			found, ok := c.FindByKey(s.Key)
			if s.Name != name || s.Labels != labels || !ok || found.Name != name || found.Labels != labels {
				t.Errorf("%s is listed as %q with %d labels, found as %q with %d; want %q, %d", s.Path, s.Name, s.Labels, found.Name, found.Labels, name, labels)
			}
		}
	}
	want(here, "A title", 1, 0)
	change("a.jsonl", session.Change{Op: session.OpName, Text: "A new name"})
	change("b.jsonl", session.Change{Op: session.OpLabel, Entry: "L2", Text: "aside"})
	<-noted // from Fill
	here.UpdatePaths(ctx, path)
	select {
	case <-noted:
	case <-time.After(time.Minute):
		t.Error("Touch does not tell that the list changed")
	}
	want(here, "A new name", 1, 1)
	fill(t, here) // saves the cache
	change("a.jsonl", session.Change{Op: session.OpName})
	change("b.jsonl", session.Change{Op: session.OpLabel, Entry: "L2"})
	want(here, "A title", 1, 0)
	again := catalog.New(catalog.Config{Library: lib(), CacheDir: cache})
	fill(t, again)
	want(again, "A title", 1, 0)
}
