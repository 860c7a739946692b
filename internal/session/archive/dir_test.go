package archive_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sessiontree/internal/session/archive"
	"sessiontree/internal/session/archive/archivetest"
	"sessiontree/internal/slowtest"
)

func TestDir(t *testing.T) {
	t.Parallel()
	archivetest.Run(t, createDir)
}

func TestDir_model(t *testing.T) {
	slowtest.SkipIfShort(t)
	t.Parallel()
	archivetest.RunModel(t, createDir)
}

func createDir(t *testing.T) archivetest.Opener {
	dir := t.TempDir()
	return func() archive.Store { return archive.NewDir(dir) }
}

// put stores a file of one segment.
func put(t testing.TB, d *archive.Dir, path string, generation int, text string) {
	t.Helper()
	if _, err := d.Append(ctx, archivetest.Next(path, generation, nil, []byte(text))); err != nil {
		t.Fatal(err)
	}
}

// list describes what is stored at or below a path, by reading directories and by walking.
func list(t testing.TB, d archive.Tree, top string) string {
	t.Helper()
	var b strings.Builder
	for todo := []string{top}; len(todo) > 0; todo = todo[1:] {
		entries, err := d.ReadDir(todo[0])
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		for _, e := range entries {
			path := filepath.Join(todo[0], e.Name())
			info, err := d.Stat(path)
			if err != nil || info.IsDir() != e.IsDir() || d.Has(path) == e.IsDir() {
				t.Errorf("%s: %v, %v", path, info, err)
			}
			if e.IsDir() {
				todo = append(todo, path)
				continue
			}
			fmt.Fprintln(&b, path, info.Size())
		}
	}
	var walked strings.Builder
	err := d.WalkFiles(top, func(path string, info fs.FileInfo) error {
		_, err := fmt.Fprintln(&walked, path, info.Size())
		return err
	})
	if err != nil || len(walked.String()) != b.Len() {
		t.Errorf("walked:\n%sread:\n%s%v", walked.String(), b.String(), err)
	}
	return walked.String()
}

// The list follows what other processes store and delete.
func TestDir_list(t *testing.T) {
	dir := t.TempDir()
	d, other := archive.NewDir(dir), archive.NewDir(dir)
	for i, path := range []string{"/p/a.jsonl", "/p/a/x/1.json", "/p/a/2.json", "/q/b.jsonl"} {
		put(t, []*archive.Dir{d, other}[i%2], path, 1, strings.Repeat("x", i+1))
	}
	put(t, other, "/p/a.jsonl", 2, "newest")
	for name, d := range map[string]*archive.Dir{"first": d, "other": other, "fresh": archive.NewDir(dir)} {
		if got, want := list(t, d, "/"), "/p/a.jsonl 6\n/p/a/2.json 3\n/p/a/x/1.json 2\n/q/b.jsonl 4\n"; got != want {
			t.Errorf("%s: %s\nwant\n%s", name, got, want)
		}
	}
	if err := errors.Join(other.DeleteFile(ctx, "/p/a/x/1.json"), other.DeleteFile(ctx, "/q/b.jsonl")); err != nil {
		t.Fatal(err)
	}
	if got, want := list(t, d, "/"), "/p/a.jsonl 6\n/p/a/2.json 3\n"; got != want {
		t.Errorf("after deleting: %s\nwant\n%s", got, want)
	}
	for _, path := range []string{"/q", "/p/a/x", "/q/b.jsonl", "/p/a.json"} {
		_, statErr := d.Stat(path)
		_, openErr := d.OpenFile(path)
		if !errors.Is(statErr, fs.ErrNotExist) || !errors.Is(openErr, fs.ErrNotExist) || d.Has(path) {
			t.Errorf("%s: %v, %v", path, statErr, openErr)
		}
	}
	info, err := d.Stat("/p/a.jsonl")
	if err != nil || info.Name() != "a.jsonl" || info.Sys().(archive.Identity).Generation != 2 || info.Mode() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
}

// Files and directories are for their owner only.
func TestDir_modes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "archive")
	d := archive.NewDir(dir)
	h := archive.Head{Generation: 1, Chain: archive.EmptyChain}
	for range 3 {
		var err error
		if h, err = d.Append(ctx, archive.Segment{Path: "/a", Generation: 1, Off: h.End, Before: h.Chain, Data: make([]byte, archive.MaxSegment), ModTime: time.Unix(1, 0)}); err != nil {
			t.Fatal(err)
		}
	}
	files := 0
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		info, _ := e.Info()
		if want := map[bool]fs.FileMode{true: 0o700, false: 0o600}[e.IsDir()]; err == nil && info.Mode().Perm() != want {
			t.Errorf("%s: %v", path, info.Mode())
		}
		files++
		return err
	})
	if err != nil || files < 7 {
		t.Errorf("%d files, %v", files, err)
	}
}

// Without its journal, or with one that is damaged or too old, everything is found again.
func TestDir_Verify(t *testing.T) {
	for name, spoil := range map[string]func(path string, early []byte) error{
		"missing": func(path string, _ []byte) error { return os.Remove(path) },
		"old":     func(path string, early []byte) error { return os.WriteFile(path, early, 0o600) },
		"unreadable": func(path string, early []byte) error {
			return os.WriteFile(path, append([]byte("?\n- x\n+ 1 2 3 4 5 6 7 ;\n"), early[:len(early)/3]...), 0o600)
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			d, journal := archive.NewDir(dir), filepath.Join(dir, "journal")
			put(t, d, "/p/a.jsonl", 1, "one\n")
			put(t, d, "/p/gone.jsonl", 1, "gone\n")
			early, err := os.ReadFile(journal)
			if err != nil {
				t.Fatal(err)
			}
			if err := d.DeleteFile(ctx, "/p/gone.jsonl"); err != nil {
				t.Fatal(err)
			}
			put(t, d, "/p/b.jsonl", 1, "two\n")
			if _, err := d.Append(ctx, archivetest.Next("/p/a.jsonl", 1, []byte("one\n"), []byte("more\n"))); err != nil {
				t.Fatal(err)
			}
			want := list(t, d, "/")
			if err := spoil(journal, early); err != nil {
				t.Fatal(err)
			}
			fresh := archive.NewDir(dir)
			if err := fresh.Verify(ctx); err != nil {
				t.Fatal(err)
			}
			if got := list(t, fresh, "/"); got != want {
				t.Errorf("%s\nwant\n%s", got, want)
			}
		})
	}
}

// A generation whose beginning was stored by a process that was killed before it could list it
// does not prevent that the next one begins: the file may have been rewritten since.
func TestDir_killedBeforeListed(t *testing.T) {
	dir := t.TempDir()
	d, journal := archive.NewDir(dir), filepath.Join(dir, "journal")
	put(t, d, "/p/a.jsonl", 1, "one\n")
	before, err := os.ReadFile(journal)
	if err != nil {
		t.Fatal(err)
	}
	put(t, d, "/p/a.jsonl", 2, "two\n")
	if err := os.WriteFile(journal, before, 0o600); err != nil {
		t.Fatal(err)
	}
	restarted := archive.NewDir(dir)
	var conflict *archive.ConflictError
	if _, err := restarted.Append(ctx, archivetest.Next("/p/a.jsonl", 2, nil, []byte("three\n"))); !errors.As(err, &conflict) || conflict.Head.Generation != 2 {
		t.Fatalf("%v, want a conflict with generation 2", err)
	}
	put(t, restarted, "/p/a.jsonl", 3, "three\n")
	heads, err := archive.NewDir(dir).Heads(ctx, "/p/a.jsonl")
	if err != nil || len(heads) != 3 {
		t.Errorf("heads %v, %v", heads, err)
	}
}

// Many changes of few files do not make the journal long.
func TestDir_compactsJournal(t *testing.T) {
	dir := t.TempDir()
	d := archive.NewDir(dir)
	var content []byte
	for i := range 2100 {
		line := fmt.Appendf(nil, "line %d\n", i)
		if _, err := d.Append(ctx, archivetest.Next("/a", 1, content, line)); err != nil {
			t.Fatal(err)
		}
		content = append(content, line...)
	}
	journal, err := os.ReadFile(filepath.Join(dir, "journal"))
	if n := bytes.Count(journal, []byte("\n")); err != nil || n > 2001 {
		t.Errorf("%d lines, %v", n, err)
	}
	if got, want := list(t, archive.NewDir(dir), "/"), fmt.Sprintln("/a", len(content)); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// A changed byte anywhere in the stored files is an error or changes nothing.
func TestDir_damage(t *testing.T) {
	slowtest.SkipIfShort(t)
	dir := t.TempDir()
	d := archive.NewDir(dir)
	content := patternAt(0, 3*archive.MaxSegment/2)
	h := archive.Head{Generation: 1, Chain: archive.EmptyChain}
	for h.End < int64(len(content)) {
		var err error
		data := content[h.End:min(h.End+500_000, int64(len(content)))]
		if h, err = d.Append(ctx, archive.Segment{Path: "/a", Generation: 1, Off: h.End, Before: h.Chain, Data: data, ModTime: time.Unix(1, 0)}); err != nil {
			t.Fatal(err)
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "packs", "*", "*"))
	if err != nil || len(files) != 2 {
		t.Fatal(files, err)
	}
	for _, path := range files {
		before, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for at := 0; at < len(before); at += 1 + len(before)/150 {
			changed := bytes.Clone(before)
			changed[at] ^= 0x10
			if err := os.WriteFile(path, changed, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := wantHonest(d, content); err != nil {
				t.Fatalf("%s, byte %d: %v", filepath.Base(path), at, err)
			}
		}
		if err := os.WriteFile(path, before, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// wantHonest returns an error if the file can be read and has other bytes. The last frames of
// a tail may be missing: they look like a write that was never acknowledged.
func wantHonest(d *archive.Dir, content []byte) error {
	f, err := d.OpenFile("/a")
	if err != nil {
		return nil
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	got := make([]byte, info.Size())
	n, err := f.ReadAt(got, 0)
	if !bytes.Equal(got[:n], content[:n]) || n < len(got) && !errors.Is(err, archive.ErrDamaged) {
		return fmt.Errorf("%d bytes: %w", n, err)
	}
	return nil
}
