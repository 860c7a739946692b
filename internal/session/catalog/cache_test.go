package catalog_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"sessiontree/internal/session/catalog"
)

// A start that finds every file as the cache describes it has nothing to keep.
func TestSecondStartKeepsCache(t *testing.T) {
	if runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
		t.Skip("files have no identity here, so each is looked at again")
	}
	dir, cache := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{
		"pi.jsonl":     header("s") + user("u", "", 1, "x"),
		"claude.jsonl": recordedLine("s1", "u1", "", 1, ""),
	} {
		path := filepath.Join(dir, name)
		write(t, path, text)
		long := time.Now().Add(-time.Hour)
		if err := os.Chtimes(path, long, long); err != nil {
			t.Fatal(err)
		}
	}
	filled(t, cache, dir)
	before := cacheFile(t, cache)
	filled(t, cache, dir)
	if !os.SameFile(before, cacheFile(t, cache)) {
		t.Error("the cache was written again, although nothing changed")
	}
}

// OnRestored is called once, when the list is that of the last run and no file was read yet.
func TestFill_OnRestored(t *testing.T) {
	t.Parallel()
	dir, cache := t.TempDir(), t.TempDir()
	write(t, filepath.Join(dir, "s1.jsonl"), header("s1")+user("u", "", 1, "x"))
	filled(t, cache, dir)
	write(t, filepath.Join(dir, "s2.jsonl"), header("s2")+user("u", "", 1, "y"))
	var c *catalog.Catalog
	calls := 0
	c = catalog.New(catalog.Config{Library: library(t, dir), CacheDir: cache, OnRestored: func() {
		calls++
		if n := len(c.Sessions()); n != 1 {
			t.Errorf("%d sessions are restored, want 1", n)
		}
	}})
	fill(t, c)
	fill(t, c)
	if calls != 1 || len(c.Sessions()) != 2 {
		t.Errorf("called %d times; %d sessions", calls, len(c.Sessions()))
	}
}

func cacheFile(t testing.TB, dir string) os.FileInfo {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "catalog-*"))
	if err != nil || len(paths) != 1 {
		t.Fatalf("caches %q: %v", paths, err)
	}
	info, err := os.Stat(paths[0])
	if err != nil {
		t.Fatal(err)
	}
	return info
}

// Storing the list removes the files of earlier versions, and nothing else.
func TestSave_RemovesEarlierCaches(t *testing.T) {
	t.Parallel()
	dir, cache := t.TempDir(), t.TempDir()
	write(t, filepath.Join(dir, "s1.jsonl"), header("s1")+user("u", "", 1, "x"))
	others := []string{"catalog-99999", "catalog-1.txt", "catalog-", "texts-1"}
	for _, name := range append(others, "catalog-1", "catalog-22") {
		if err := os.WriteFile(filepath.Join(cache, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	filled(t, cache, dir)
	var left []string
	files, err := os.ReadDir(cache)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		left = append(left, f.Name())
	}
	for _, name := range others {
		if !slices.Contains(left, name) {
			t.Errorf("%s was removed", name)
		}
	}
	if slices.Contains(left, "catalog-1") || slices.Contains(left, "catalog-22") || len(left) != len(others)+1 {
		t.Errorf("the directory has %q", left)
	}
}

// Whatever happens to the file, the list is that of the session files.
func TestCache_Damaged(t *testing.T) {
	t.Parallel()
	dir, cache := t.TempDir(), t.TempDir()
	for i := range 5 {
		id := fmt.Sprint("s", i)
		write(t, filepath.Join(dir, id+".jsonl"), header(id)+user("u"+id, "", 1, "prompt of "+id))
	}
	large := header("large") // enough entries for data that is not read at a start
	for i := range 50 {
		parent := ""
		if i > 0 {
			parent = fmt.Sprint("e", i-1)
		}
		large += user(fmt.Sprint("e", i), parent, i, "prompt")
	}
	write(t, filepath.Join(dir, "large.jsonl"), large)
	want := filled(t, cache, dir).Sessions()
	name := filepath.Join(cache, cacheFile(t, cache).Name())
	intact, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(r *rapid.T) {
		b := slices.Clone(intact)[:rapid.IntRange(0, len(intact)).Draw(r, "cut")]
		b = append(b, rapid.SliceOfN(rapid.Byte(), 0, 20).Draw(r, "added")...)
		if len(b) > 0 {
			b[rapid.IntRange(0, len(b)-1).Draw(r, "at")] ^= rapid.Byte().Draw(r, "bits")
		}
		if err := os.WriteFile(name, b, 0o600); err != nil {
			t.Fatal(err)
		}
		c := filled(t, cache, dir)
		if diff := cmp.Diff(want, c.Sessions(), cmpopts.IgnoreFields(catalog.Summary{}, "AgentWrote")); diff != "" {
			r.Errorf("the list is another one (-want +got):\n%s", diff)
		}
		if p := c.Progress(); p.BytesFromCache > 0 && !bytes.Equal(b, intact) {
			r.Errorf("%d bytes are from a damaged cache", p.BytesFromCache)
		}
	})
}
