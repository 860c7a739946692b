package catalog_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"sessiontree/internal/session"
	"sessiontree/internal/session/catalog"
	"sessiontree/internal/session/store"
)

const linearLine = `{"timestamp":"2026-03-02T10:00:01.000Z","id":"m1","role":"user","blocks":[{"type":"text","content":"hello"}]}` + "\n"

// A list shows the same working directory as the session's page, also for a session
// that records none: followed, new, or from the cache.
func TestSessions_cwdOfOthers(t *testing.T) {
	dir, cache := filepath.Join(t.TempDir(), "home-dev-my-shop"), t.TempDir()
	file := func(n int) string {
		return filepath.Join(dir, fmt.Sprintf("0aa11111-1111-4111-8111-11111111111%d.jsonl", n))
	}
	in := func(cwd string) string { return fmt.Sprintf(`{"type":"metadata","workdir":%q}`+"\n", cwd) }
	own := file(0)
	write(t, own, linearLine)
	lib := library(t, dir)
	opened := catalog.New(catalog.Config{Library: lib}) // with open sessions
	fill(t, opened)
	s, err := lib.Open(ctx, own)
	if err != nil {
		t.Fatal(err)
	}
	followed := filled(t, cache, dir)
	for _, step := range []struct {
		name, touch, want string
		do                func()
	}{
		{"alone", own, "/home/dev/my/shop", func() {}},
		{"a session with a header", file(1), "/home/dev/my-shop", func() { write(t, file(1), in("/home/dev/my-shop"), linearLine) }},
		{"it goes on", file(1), "/home/dev/my-shop", func() { add(t, file(1), linearLine) }},
		{"the session itself goes on", own, "/home/dev/my-shop", func() { add(t, own, linearLine) }},
		{"one that was moved here", file(2), "/home/dev/my-shop", func() { write(t, file(2), in("/srv"), linearLine) }},
		{"another directory of this name", file(3), "/home/dev/my/shop", func() { write(t, file(3), in("/home/dev/my/shop"), linearLine) }},
		{"and gone", file(3), "/home/dev/my-shop", func() { _ = os.Remove(file(3)) }},
		{"the header is rewound away", file(1), "/home/dev/my/shop", func() { write(t, file(1), linearLine) }},
	} {
		step.do()
		for name, c := range map[string]*catalog.Catalog{"followed": followed, "open": opened, "made anew": nil, "cached": nil} {
			switch {
			case name == "cached":
				c = filled(t, cache, dir)
			case c == nil:
				c = filled(t, "", dir)
			default:
				c.UpdatePaths(ctx, step.touch)
			}
			listed := ""
			for _, sum := range c.Sessions() {
				if sum.Path == own {
					listed = sum.Cwd
				}
			}
			found, ok := c.FindByKey(store.DeriveKey("wave", "0aa11111-1111-4111-8111-111111111110", own))
			if listed != step.want || !ok || found.Cwd != step.want {
				t.Errorf("%s, %s: listed in %s, found in %s, want %s", step.name, name, listed, found.Cwd, step.want)
			}
		}
		if _, err := s.Refresh(ctx); err != nil {
			t.Fatal(err)
		}
		s.ReadTree(func(tree *session.Tree, _ store.Revision) {
			if got := tree.Header().Cwd; got != step.want {
				t.Errorf("%s: the page says %s, want %s", step.name, got, step.want)
			}
		})
	}
}

// BenchmarkSessions_cwdOfOthers lists 1,000 sessions of one directory, each tenth
// without a header.
func BenchmarkSessions_cwdOfOthers(b *testing.B) {
	dir, cache := filepath.Join(b.TempDir(), "home-dev-my-shop"), b.TempDir()
	for i := range 1000 {
		header := `{"type":"metadata","workdir":"/home/dev/my-shop"}` + "\n"
		if i%10 == 0 {
			header = ""
		}
		path := filepath.Join(dir, fmt.Sprintf("0aa11111-1111-4111-8111-%012d.jsonl", i))
		write(b, path, header, linearLine)
		if err := os.Chtimes(path, at(0), at(0)); err != nil {
			b.Fatal(err)
		}
	}
	filled(b, cache, dir)
	for b.Loop() {
		if c := filled(b, cache, dir); len(c.Sessions()) != 1000 || c.Sessions()[0].Cwd != "/home/dev/my-shop" {
			b.Fatal(c.Sessions()[0])
		}
	}
}
