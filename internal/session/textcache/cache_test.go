package textcache

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func open(t testing.TB, dir string) *Cache {
	t.Helper()
	c, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// state is the state of a file that exists.
func state(t testing.TB, path string) []FileState {
	t.Helper()
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	return []FileState{{Path: path, Size: 1, ModTime: 2}}
}

func add(t testing.TB, c *Cache, path, texts string) []FileState {
	t.Helper()
	files := state(t, path)
	if err := c.Add(textsOf(path, files, texts)); err != nil {
		t.Fatal(err)
	}
	return files
}

// textsOf returns what tests store of a session.
func textsOf(path string, files []FileState, texts string) Texts {
	return Texts{Path: path, Files: files, Filter: filterOf(texts), Blocks: blocksOf(texts)}
}

// filterOf returns the filter that tests store with texts, which is empty for some.
func filterOf(texts string) []byte {
	if len(texts)%2 == 0 {
		return nil
	}
	return []byte("filter of " + texts)
}

// blocksOf returns texts in blocks, of which one is empty.
func blocksOf(texts string) [][]byte {
	half := len(texts) / 2
	return [][]byte{[]byte(texts[:half]), {}, []byte(texts[half:])}
}

// read returns the texts of a session.
func read(c *Cache, path string, files []FileState) (texts string, filter []byte, ok bool) {
	var buf Buffer
	if !c.ReadFilter(path, files, &buf) || len(buf.Blocks) == 0 {
		return "", nil, false
	}
	all, ok := c.ReadBlocks(path, files, buf.Blocks, nil)
	return string(all), buf.Filter, ok
}

// expect checks the texts of a session; "" means that there are none.
func expect(t testing.TB, c *Cache, path string, files []FileState, want string) {
	t.Helper()
	got, filter, ok := read(c, path, files)
	if got != want || ok != (want != "") || c.Has(path, files) != (want != "") {
		t.Errorf("the texts of %s are %q, %t; want %q", filepath.Base(path), got, ok, want)
	}
	if ok && !bytes.Equal(filter, filterOf(want)) {
		t.Errorf("the filter of %s is %q, %t", filepath.Base(path), filter, ok)
	}
}

func TestCache(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	c := open(t, filepath.Join(dir, "cache"))
	add(t, c, filepath.Join(dir, "long"), strings.Repeat("long ", 1000)) // or the file would be rewritten
	filesA, filesB := add(t, c, a, "first"), add(t, c, b, "second")
	add(t, c, a, "first, longer")
	changed := []FileState{{Path: a, Size: 7, ModTime: 2}}
	check := func(c *Cache) {
		t.Helper()
		expect(t, c, a, filesA, "first, longer")
		expect(t, c, b, filesB, "second")
		expect(t, c, a, changed, "")
		expect(t, c, "other", filesA, "")
	}
	check(c)
	readOnly, err := OpenReadOnly(filepath.Join(dir, "cache"))
	if err != nil {
		t.Fatal(err)
	}
	check(readOnly)
	readOnly.Close()
	if _, err := OpenReadOnly(dir); err == nil {
		t.Error("a cache that does not exist was opened")
	}
	reader := open(t, filepath.Join(dir, "cache"))
	check(reader)
	if err := reader.Add(Texts{Path: a, Files: filesA}); !errors.Is(err, ErrReadOnly) {
		t.Errorf("a second process adds texts: %v", err)
	}
	if err := os.Remove(b); err != nil {
		t.Fatal(err)
	}
	if err := c.RemoveDeleted(isThere); err != nil {
		t.Fatal(err)
	}
	expect(t, c, a, filesA, "first, longer")
	expect(t, c, b, filesB, "")
	expect(t, reader, a, filesA, "first, longer")
	if got, _, ok := read(reader, b, filesB); ok {
		t.Errorf("another process reads %q of a deleted session", got)
	}
	text, err := os.ReadFile(filepath.Join(dir, "cache", fileName))
	if err != nil || bytes.Contains(text, []byte("second")) || bytes.Contains(text, []byte(b)) || bytes.Count(text, []byte("first")) != 2 {
		t.Errorf("texts of a deleted session, or outdated ones, are on the disk: %q, %v", text, err)
	}
	if again := open(t, filepath.Join(dir, "cache")); again.Add(Texts{Path: a, Files: filesA}) == nil {
		t.Error("a second process adds texts after the file was replaced")
	}
	c.Close()
	expect(t, open(t, filepath.Join(dir, "cache")), a, filesA, "first, longer")
	if left, err := os.ReadDir(filepath.Join(dir, "cache")); err != nil || len(left) != 1 {
		t.Errorf("the directory has %v, %v", left, err)
	}
	if info, err := os.Stat(filepath.Join(dir, "cache", fileName)); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

// Removed texts are overwritten, and the others stay.
func TestCache_Remove(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	c := open(t, filepath.Join(dir, "cache"))
	filesA, filesB := add(t, c, a, "first"), add(t, c, b, "second")
	reader := open(t, filepath.Join(dir, "cache"))
	if err := reader.Remove(a); !errors.Is(err, ErrReadOnly) {
		t.Errorf("a second process removes texts: %v", err)
	}
	if err := c.Remove(a, filepath.Join(dir, "other")); err != nil {
		t.Fatal(err)
	}
	c.Close()
	if text, err := os.ReadFile(filepath.Join(dir, "cache", fileName)); err != nil || bytes.Contains(text, []byte("first")) || bytes.Contains(text, []byte(a)) {
		t.Errorf("on the disk: %q, %v", text, err)
	}
	c = open(t, filepath.Join(dir, "cache"))
	expect(t, c, a, filesA, "")
	expect(t, c, b, filesB, "second")
}

// Adjacent blocks are read alone. One that is damaged leaves the others.
func TestCache_ReadBlocks(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	c, files := open(t, filepath.Join(dir, "cache")), state(t, path)
	if err := c.Add(Texts{Path: path, Files: files, Blocks: [][]byte{[]byte("one"), []byte("two"), nil, []byte("three")}}); err != nil {
		t.Fatal(err)
	}
	var buf Buffer
	if !c.ReadFilter(path, files, &buf) || len(buf.Blocks) != 4 || buf.Blocks[3].Start() != 6 || buf.Blocks[3].Len() != 5 {
		t.Fatalf("blocks %v", buf.Blocks)
	}
	check := func(from, to int, want string) {
		t.Helper()
		if got, ok := c.ReadBlocks(path, files, buf.Blocks[from:to], nil); ok != (want != "") || ok && string(got) != want {
			t.Errorf("blocks %d to %d: %q, %t; want %q", from, to, got, ok, want)
		}
	}
	check(0, 1, "one")
	check(1, 4, "twothree")
	if _, err := c.file.WriteAt([]byte("T"), c.size-8); err != nil { // of "two"
		t.Fatal(err)
	}
	check(0, 1, "one")
	check(0, 2, "")
	check(3, 4, "three")
}

// isThere reports whether a file exists.
func isThere(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// A file that mostly has outdated texts is rewritten.
func TestCache_Rewrite(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	a := filepath.Join(dir, "a")
	c := open(t, filepath.Join(dir, "cache"))
	var files []FileState
	for i := range 10 {
		files = add(t, c, a, fmt.Sprintf("version %d", i))
	}
	before := c.size
	if err := c.RemoveDeleted(isThere); err != nil {
		t.Fatal(err)
	}
	if c.size*5 > before {
		t.Errorf("%d of %d bytes are left", c.size, before)
	}
	expect(t, c, a, files, "version 9")
	add(t, c, a, "version 10")
	expect(t, c, a, files, "version 10")
}

// Whatever happens to the file, the cache opens, returns no wrong texts and accepts new ones.
func TestCache_Damaged(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	rapid.Check(t, func(r *rapid.T) {
		dir, err := os.MkdirTemp(root, "")
		if err != nil {
			t.Fatal(err)
		}
		c := open(t, dir)
		texts, batch := map[string]string{}, c.NewBatch()
		for i := range 5 {
			path := filepath.Join(root, fmt.Sprint(i))
			texts[path] = fmt.Sprintf("texts of %d", i)
			err := batch.Add(textsOf(path, state(t, path), texts[path]))
			if err == nil && rapid.Bool().Draw(r, "flush") {
				err = batch.Flush()
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := batch.Flush(); err != nil {
			t.Fatal(err)
		}
		c.Close()
		name := filepath.Join(dir, fileName)
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		b = b[:rapid.IntRange(0, len(b)).Draw(r, "cut")]
		if len(b) > 0 && rapid.Bool().Draw(r, "flips") {
			b[rapid.IntRange(0, len(b)-1).Draw(r, "at")] ^= byte(rapid.IntRange(1, 255).Draw(r, "bits"))
		}
		if err := os.WriteFile(name, b, 0o600); err != nil {
			t.Fatal(err)
		}
		c = open(t, dir)
		for path, want := range texts {
			got, filter, ok := read(c, path, []FileState{{Path: path, Size: 1, ModTime: 2}})
			if ok && (got != want || !bytes.Equal(filter, filterOf(want))) {
				r.Errorf("the texts of %s are %q with the filter %q, want %q", path, got, filter, want)
			}
		}
		add(t, c, filepath.Join(root, "new"), "new")
		c.Close()
		c = open(t, dir)
		expect(t, c, filepath.Join(root, "new"), state(t, filepath.Join(root, "new")), "new")
		c.Close()
	})
}
