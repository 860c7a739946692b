package catalog_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sessiontree/internal/session/catalog"
	"sessiontree/internal/testgen/transcript"
)

// sharing returns a filled catalog that shares what it reads.
func sharing(t testing.TB, shared *catalog.Shared, roots ...string) *catalog.Catalog {
	t.Helper()
	c := catalog.New(catalog.Config{Library: library(t, roots...), Shared: shared, SpillDir: t.TempDir()})
	fill(t, c)
	return c
}

// A catalog does not read what another one has read, also in an earlier run, lists only files that
// its own library has, and reads what was removed again.
func TestShared(t *testing.T) {
	t.Parallel()
	dir, stored := t.TempDir(), t.TempDir()
	old := time.Now().Add(-time.Hour)
	var paths []string
	for _, name := range []string{"a/one", "a/two", "b/three"} {
		f := transcript.New(transcript.Pi, filepath.Base(name), "/src", old)
		f.AddPrompt("plant a kumquat")
		f.AddEditCall("", "/src/orchard.txt", "a", "b", "")
		path := filepath.Join(dir, name+".jsonl")
		write(t, path, string(f.Bytes()))
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	shared := catalog.OpenShared(stored)
	first := sharing(t, shared, dir)
	if err := first.MoveColdData(); err != nil {
		t.Fatal(err)
	}
	check := func(when string, c *catalog.Catalog, sessions int, read bool) {
		t.Helper()
		if p := c.Progress(); len(c.Sessions()) != sessions || (p.BytesScanned > 0) != read {
			t.Errorf("%s: %d sessions, %+v", when, len(c.Sessions()), p)
		}
		if names := c.FindChangedFiles("", "orchard.txt"); len(names) == 0 {
			t.Errorf("%s: the changed file is not found", when)
		}
	}
	check("first", first, 3, true)
	check("second", sharing(t, shared, dir), 3, false)
	check("of one directory", sharing(t, shared, filepath.Join(dir, "a")), 2, false)
	if err := shared.Save(); err != nil {
		t.Fatal(err)
	}
	shared = catalog.OpenShared(stored)
	check("next run", sharing(t, shared, dir), 3, false)
	if err := shared.Remove(paths...); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(stored, "*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("stored in %q, %v", files, err)
	}
	if data, err := os.ReadFile(files[0]); err != nil || strings.Contains(string(data), "kumquat") || strings.Contains(string(data), "orchard") {
		t.Errorf("after the sessions were removed the file has %q, %v", data, err)
	}
	check("removed", sharing(t, shared, dir), 3, true)
}
