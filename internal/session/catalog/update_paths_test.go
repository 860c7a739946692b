package catalog_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"sessiontree/internal/session/catalog"
)

// Updating a file costs the same in a large library as in a small one.
func TestUpdatePaths_ReadsNothingElse(t *testing.T) {
	const sessions = 300
	root := t.TempDir()
	var files []string
	for i := range sessions {
		files = append(files, filepath.Join(root, fmt.Sprintf("p%d", i), "s.jsonl"))
		write(t, files[i], header(fmt.Sprint(i)), user("1", "", 1, "words"))
	}
	c := filled(t, "", root)
	before := c.Visited()
	for i, path := range files {
		add(t, path, user("2", "1", 2, "more"))
		c.UpdatePaths(ctx, path, filepath.Join(filepath.Dir(path), fmt.Sprintf("never-there-%d.jsonl", i)))
	}
	if n := c.Visited() - before; n > 4*sessions {
		t.Errorf("%d touched files had %d known paths looked at", sessions, n)
	}
	for _, s := range c.Sessions() {
		if s.Entries != 2 {
			t.Fatalf("%s has %d entries, want 2", s.Path, s.Entries)
		}
	}

	before = c.Visited()
	if err := os.RemoveAll(filepath.Dir(files[0])); err != nil {
		t.Fatal(err)
	}
	c.UpdatePaths(ctx, filepath.Dir(files[0]), files[0])
	if n := c.Visited() - before; n > 4 {
		t.Errorf("a directory of one file had %d known paths looked at", n)
	}
	if n := len(c.Sessions()); n != sessions-1 {
		t.Errorf("%d sessions are left, want %d", n, sessions-1)
	}
}

// BenchmarkUpdatePathsMany updates one session among many after an appended line.
func BenchmarkUpdatePathsMany(b *testing.B) {
	for _, sessions := range []int{1_000, 20_000} {
		b.Run(fmt.Sprint(sessions), func(b *testing.B) {
			root := b.TempDir()
			for i := range sessions {
				write(b, filepath.Join(root, fmt.Sprintf("p%d", i), "s.jsonl"), header(fmt.Sprint(i)), user("0", "", 1, "words"))
			}
			c := catalog.New(catalog.Config{Library: library(b, root)})
			fill(b, c)
			path, n := filepath.Join(root, "p0", "s.jsonl"), 0
			for b.Loop() {
				n++
				add(b, path, user(fmt.Sprint(n), fmt.Sprint(n-1), 2, "more"))
				c.UpdatePaths(ctx, path)
			}
		})
	}
}
