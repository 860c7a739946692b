package catalog_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sessiontree/internal/session/catalog"
	"sessiontree/internal/session/format"
	"sessiontree/internal/session/store"
)

// A session of oh-my-pi is listed once. Its sub-agents are listed by themselves while
// it is missing.
func TestSessions_SubAgents(t *testing.T) {
	dir := t.TempDir()
	text := func(id, parent, say string) string {
		if parent != "" {
			parent = fmt.Sprintf(`,"parentSession":"/elsewhere/%s.jsonl"`, parent)
		}
		return fmt.Sprintf(`{"type":"session","version":3,"id":%q,"timestamp":"2026-11-22T08:32:56.157Z","cwd":"/p"%s}`+"\n", id, parent) +
			`{"type":"session_init","id":"00000001","parentId":null,"timestamp":"2026-11-22T08:33:00.000Z","task":"look"}` + "\n" +
			fmt.Sprintf(`{"type":"message","id":"00000002","parentId":"00000001","timestamp":"2026-11-22T08:33:01.000Z","message":{"role":"user","content":%q}}`+"\n", say)
	}
	for name, body := range map[string]string{
		"main.jsonl": text("m", "", "hello"), "main/A.jsonl": text("a", "main", "look at a"), "main/A/A.B.jsonl": text("b", "A", "look at b"),
		"main/Own.jsonl": text("o", "", "by itself"), "main/Fork.jsonl": text("f", "other", "of another"),
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(body), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	lib, err := store.New(store.Config{Formats: format.All, Roots: []string{dir}})
	if err != nil {
		t.Fatal(err)
	}
	cache := t.TempDir()
	fill := func() *catalog.Catalog {
		c := catalog.New(catalog.Config{Library: lib, CacheDir: cache})
		if err := c.Fill(t.Context()); err != nil {
			t.Fatal(err)
		}
		return c
	}
	c := fill()
	want := func(c *catalog.Catalog, want string) {
		t.Helper()
		var got []string
		for _, s := range c.Sessions() {
			name := s.ID
			if s.Orphaned {
				name += "!"
			}
			got = append(got, name)
		}
		slices.Sort(got)
		if list := strings.Join(got, " "); list != want {
			t.Errorf("listed: %s, want %s", list, want)
		}
		for _, u := range c.Unreadable() {
			t.Errorf("%+v", u)
		}
	}
	want(c, "f m o")
	main, away := filepath.Join(dir, "main.jsonl"), filepath.Join(t.TempDir(), "main.jsonl")
	if err := os.Rename(main, away); err != nil {
		t.Fatal(err)
	}
	c.UpdatePaths(t.Context(), main)
	want(c, "a! f o")
	want(fill(), "a! f o")
	if err := os.Rename(away, main); err != nil {
		t.Fatal(err)
	}
	c.UpdatePaths(t.Context(), main)
	want(c, "f m o")
	want(fill(), "f m o")
}
