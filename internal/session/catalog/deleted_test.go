package catalog_test

import (
	"os"
	"path/filepath"
	"testing"

	"sessiontree/internal/session/catalog"
	"sessiontree/internal/session/format"
	"sessiontree/internal/session/keep"
	"sessiontree/internal/session/roots"
	"sessiontree/internal/session/store"
	"sessiontree/internal/testgen/workload"
)

// Sessions whose files were deleted stay in the list with all that it says of them, in this
// run and, from the cache, in the next. The list follows their deletion, their restoration
// and the deletion of their copies.
func TestDeletedSessions(t *testing.T) {
	t.Parallel()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	dir, state, cache := filepath.Join(top, "sessions"), t.TempDir(), t.TempDir()
	if _, _, err := workload.WriteClaudeLibrary(dir, 12, 5); err != nil {
		t.Fatal(err)
	}
	set, err := roots.New([]string{dir}, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	keeper := keep.New(keep.Config{StateDir: state, Roots: set, Formats: format.All})
	if err := keeper.KeepAll(t.Context()); err != nil {
		t.Fatal(err)
	}
	newCatalog := func() *catalog.Catalog {
		lib, err := store.New(store.Config{Formats: format.All, Roots: []string{dir}, Copies: keeper.Copies()})
		if err != nil {
			t.Fatal(err)
		}
		c := catalog.New(catalog.Config{Library: lib, CacheDir: cache})
		if err := c.Fill(t.Context()); err != nil {
			t.Fatal(err)
		}
		return c
	}
	c := newCatalog()
	before := c.Sessions()
	if len(before) < 12 {
		t.Fatalf("%d sessions", len(before))
	}
	want := func(what string, c *catalog.Catalog, deleted bool) {
		t.Helper()
		now := c.Sessions()
		if len(now) != len(before) {
			t.Fatalf("%s: %d sessions instead of %d", what, len(now), len(before))
		}
		for i := range now {
			a, b := before[i], now[i]
			if b.Deleted != deleted {
				t.Errorf("%s: %s is deleted: %v", what, b.Path, b.Deleted)
			}
			if a.Key != b.Key || a.Name != b.Name || a.FirstMessage != b.FirstMessage || a.Entries != b.Entries || a.Cost != b.Cost || a.Size != b.Size || a.Agents != b.Agents || !a.Modified.Equal(b.Modified) || !a.FileTime.Equal(b.FileTime) {
				t.Errorf("%s:\n%+v\nbefore\n%+v", what, b, a)
			}
		}
	}
	want("at first", c, false)
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	c.Rescan(t.Context())
	want("deleted", c, true)
	if err := c.Save(); err != nil {
		t.Fatal(err)
	}
	again := newCatalog()
	want("in the next run", again, true)
	if p := again.Progress(); p.BytesScanned != 0 || p.BytesFromCache == 0 {
		t.Errorf("the next run reads %d bytes of copies, %d are cached", p.BytesScanned, p.BytesFromCache)
	}

	files, err := keeper.CopiedSessions(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		all, err := keeper.SessionFiles(t.Context(), f.Path)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range all {
			if err := keeper.RestoreFile(t.Context(), f.Path, f.Path); err != nil {
				t.Fatal(err)
			}
		}
	}
	c.Rescan(t.Context())
	want("restored", c, false)

	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	c.Rescan(t.Context())
	if _, _, err := keeper.PurgeAll(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.Rescan(t.Context())
	if n := len(c.Sessions()); n != 0 {
		t.Errorf("%d sessions are listed without a file and a copy", n)
	}
}
