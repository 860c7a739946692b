package textcache

import (
	"fmt"
	"path/filepath"
	"sync"
	"testing"
)

// Open reads nothing. The first use reads the records, also if several are the first.
func TestCache_LoadsAtFirstUse(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := open(t, filepath.Join(dir, "cache"))
	files := map[string][]FileState{}
	for i := range 20 {
		path := filepath.Join(dir, fmt.Sprint(i))
		files[path] = add(t, c, path, "texts of "+path)
	}
	size := c.size
	c.Close()
	c = open(t, filepath.Join(dir, "cache"))
	if len(c.records) != 0 || c.size != 0 {
		t.Fatalf("%d records were read when the cache was opened", len(c.records))
	}
	var users sync.WaitGroup
	for path := range files {
		users.Go(func() { expect(t, c, path, files[path], "texts of "+path) })
	}
	users.Go(func() {
		if err := c.RemoveDeleted(isThere); err != nil {
			t.Error(err)
		}
	})
	last := filepath.Join(dir, "last")
	users.Go(func() { files := add(t, c, last, "last"); expect(t, c, last, files, "last") })
	users.Wait()
	if len(c.records) != 21 || c.size <= size {
		t.Errorf("%d records in %d bytes", len(c.records), c.size)
	}
}

// A cache that was closed before its first use has no texts and accepts none.
func TestCache_ClosedBeforeUse(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	c := open(t, filepath.Join(dir, "cache"))
	files := add(t, c, path, "texts")
	c.Close()
	c = open(t, filepath.Join(dir, "cache"))
	if !c.IsWritable() {
		t.Error("the first process cannot write")
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	expect(t, c, path, files, "")
	if c.Add(Texts{Path: path, Files: files}) == nil || c.RemoveDeleted(isThere) == nil {
		t.Error("a closed cache was changed")
	}
	expect(t, open(t, filepath.Join(dir, "cache")), path, files, "texts")
}
