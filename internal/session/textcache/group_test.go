package textcache

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// addGroup stores texts of several sessions together.
func addGroup(t testing.TB, c *Cache, dir string, names ...string) map[string][]FileState {
	t.Helper()
	files, batch := map[string][]FileState{}, c.NewBatch()
	for _, name := range names {
		path := filepath.Join(dir, name)
		files[path] = state(t, path)
		if err := batch.Add(textsOf(path, files[path], "texts of "+name)); err != nil {
			t.Fatal(err)
		}
	}
	if c.Has(filepath.Join(dir, names[0]), files[filepath.Join(dir, names[0])]) {
		t.Error("texts are stored before the group is complete")
	}
	if err := batch.Flush(); err != nil {
		t.Fatal(err)
	}
	return files
}

// The filters of a group are read at once, and only filters.
func TestBuffer_ReadsGroup(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := open(t, filepath.Join(dir, "cache"))
	add(t, c, filepath.Join(dir, "alone"), "another group")
	files := addGroup(t, c, dir, "a", "bb", "ccc")
	var buf Buffer
	for i, name := range []string{"a", "bb", "ccc", "a"} {
		path := filepath.Join(dir, name)
		if !c.ReadFilter(path, files[path], &buf) || !bytes.Equal(buf.Filter, filterOf("texts of "+name)) {
			t.Errorf("the filter of %s is %q", name, buf.Filter)
		}
		if r := c.records[filepath.Join(dir, "a")]; buf.start != r.filterStart() || buf.start+int64(len(buf.window)) != r.headsEnd {
			t.Errorf("read %d: the window has %d bytes from %d", i, len(buf.window), buf.start)
		}
		if got, ok := c.ReadBlocks(path, files[path], buf.Blocks, nil); !ok || string(got) != "texts of "+name {
			t.Errorf("the texts of %s are %q, %t", name, got, ok)
		}
	}
	path := filepath.Join(dir, "alone")
	expect(t, c, path, []FileState{{Path: path, Size: 1, ModTime: 2}}, "another group")
}

// A session is removed from its group, and replaced by a later one. A rewritten file has groups
// in the same order.
func TestGroup_Remove(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := open(t, filepath.Join(dir, "cache"))
	files := addGroup(t, c, dir, "a", "b", "c", "d", "e", "f")
	path := func(name string) string { return filepath.Join(dir, name) }
	add(t, c, path("b"), "later texts of b")
	if err := c.Remove(path("a"), path("c"), path("d"), path("e")); err != nil {
		t.Fatal(err)
	}
	check := func(c *Cache, gone ...string) {
		t.Helper()
		for p, states := range files {
			want := map[string]string{path("b"): "later texts of b", path("f"): "texts of f"}[p]
			expect(t, c, p, states, want)
		}
		text, err := os.ReadFile(filepath.Join(dir, "cache", fileName))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range gone {
			if bytes.Contains(text, []byte("texts of "+name)) || bytes.Contains(text, []byte("filter of texts of "+name)) {
				t.Errorf("texts of %s are on the disk: %q", name, text)
			}
		}
	}
	check(c, "a", "c", "d", "e")
	c.Close()
	c = open(t, filepath.Join(dir, "cache"))
	check(c, "a", "c", "d", "e")
	before := c.size
	if err := c.RemoveDeleted(isThere); err != nil {
		t.Fatal(err)
	}
	if b, f := c.records[path("b")], c.records[path("f")]; c.size*2 > before || f.start >= b.start || f.headsEnd != b.headsEnd {
		t.Errorf("%d bytes of %d; f: %+v, b: %+v", c.size, before, f, b)
	}
	check(c, "a", "c", "d", "e")
}

// A batch is stored when it has enough texts.
func TestBatch_Add(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := open(t, filepath.Join(dir, "cache"))
	batch := c.NewBatch()
	texts := bytes.Repeat([]byte("x"), batchBytes/3)
	for i := range 4 {
		path := filepath.Join(dir, fmt.Sprint(i))
		if err := batch.Add(Texts{Path: path, Files: state(t, path), Blocks: [][]byte{texts}}); err != nil {
			t.Fatal(err)
		}
	}
	if len(c.records) != 3 || len(batch.group) != 1 {
		t.Errorf("%d sessions are stored, %d are not", len(c.records), len(batch.group))
	}
	if err := batch.Flush(); err != nil || len(c.records) != 4 {
		t.Errorf("%d sessions are stored: %v", len(c.records), err)
	}
	if size := c.size; batch.Flush() != nil || c.size != size {
		t.Error("an empty group was stored")
	}
}
