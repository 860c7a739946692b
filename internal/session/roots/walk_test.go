package roots_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/roots"
)

func newSet(t testing.TB, followLinks bool, paths ...string) *roots.Set {
	t.Helper()
	set, err := roots.New(paths, followLinks, nil)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func openFile(set *roots.Set, path string) error {
	at, err := set.Locate(path)
	if err != nil {
		return err
	}
	f, _, err := at.OpenFile()
	if err != nil {
		return err
	}
	return f.Close()
}

func write(t testing.TB, path string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte("{}\n"), 0o644)); err != nil {
		t.Fatal(err)
	}
}

// walk returns the files that WalkFiles reports, relative to base, with errors.
func walk(t testing.TB, set *roots.Set, base string) []string {
	t.Helper()
	base, err := filepath.EvalSymlinks(base)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	err = set.WalkFiles(t.Context(), func(f roots.File) {
		rel, err := filepath.Rel(base, f.Path)
		if err != nil {
			t.Fatal(err)
		}
		if f.Err != nil {
			rel += ": " + strings.ReplaceAll(f.Err.Error(), base+string(filepath.Separator), "")
		}
		found = append(found, filepath.ToSlash(rel))
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func symlink(t testing.TB, target, path string) {
	t.Helper()
	if err := os.Symlink(target, path); err != nil {
		t.Skip("no links here:", err)
	}
}

func TestWalk(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{
		"p/a.jsonl", "p/b.jsonl", "p/a/sub.jsonl", "p/a/deep/er/x.jsonl", "q/.hidden.jsonl", "q/.b.jsonl.tmp", "q/b.jsonl.tmp",
		"q/notes.txt", ".git/x.jsonl", "q/name with\nnewline.jsonl", "q/\u202eevil.jsonl", "q/dir.jsonl/inner.jsonl",
	} {
		write(t, filepath.Join(dir, name))
	}
	want := []string{"p/a.jsonl", "p/b.jsonl", "p/a/deep/er/x.jsonl", "p/a/sub.jsonl", "q/dir.jsonl/inner.jsonl", "q/name with\nnewline.jsonl", "q/\u202eevil.jsonl"}
	set := newSet(t, false, dir, filepath.Join(dir, "p"), dir) // roots may overlap
	got := walk(t, set, dir)
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("Walk tells %q, want %q", got, want)
	}
	for _, name := range want {
		if err := openFile(set, filepath.Join(dir, name)); err != nil {
			t.Errorf("Open(%q): %v", name, err)
		}
	}
}

func TestWalk_ItsContextEndsIt(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "p", "a.jsonl"))
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if err := newSet(t, false, dir).WalkFiles(cancelled, func(roots.File) {}); !errors.Is(err, cancelled.Err()) {
		t.Errorf("Walk = %v", err)
	}
}

func TestRoots_SingleFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "any name")
	write(t, path)
	write(t, filepath.Join(dir, "b.jsonl"))
	set := newSet(t, false, path)
	if got := walk(t, set, dir); !slices.Equal(got, []string{"any name"}) {
		t.Errorf("Walk tells %q", got)
	}
	if err := openFile(set, path); err != nil {
		t.Error(err)
	}
	if err := openFile(set, filepath.Join(dir, "b.jsonl")); !errors.Is(err, session.ErrNotFound) {
		t.Errorf("Open of its neighbour = %v", err)
	}
}

func TestRoots_LinkInside(t *testing.T) {
	dir := t.TempDir()
	root, other := filepath.Join(dir, "root"), filepath.Join(dir, "other")
	write(t, filepath.Join(root, "p", "a.jsonl"))
	write(t, filepath.Join(other, "b.jsonl"))
	symlink(t, other, filepath.Join(root, "linked"))
	symlink(t, filepath.Join(root, "p"), filepath.Join(root, "same"))
	symlink(t, root, filepath.Join(other, "loop"))
	symlink(t, filepath.Join(dir, "nowhere"), filepath.Join(root, "broken"))

	got := walk(t, newSet(t, false, root), dir)
	if len(got) != 3 || got[0] != "root/broken: root/broken: broken link: no such file or directory" ||
		got[1] != "root/linked: root/linked: link to other, and links are not followed" ||
		got[2] != "root/p/a.jsonl" {
		t.Errorf("without following: %q", got)
	}

	set := newSet(t, true, root)
	got = walk(t, set, dir)
	slices.Sort(got)
	if len(got) != 3 || got[0] != "other/b.jsonl" || got[2] != "root/p/a.jsonl" {
		t.Errorf("following: %q", got)
	}
	if err := openFile(set, filepath.Join(other, "b.jsonl")); err != nil {
		t.Errorf("Open behind a link: %v", err)
	}

	if err := os.Remove(filepath.Join(root, "linked")); err != nil {
		t.Fatal(err)
	}
	walk(t, set, dir)
	if err := openFile(set, filepath.Join(other, "b.jsonl")); !errors.Is(err, session.ErrNotFound) {
		t.Errorf("Open behind a link that is gone = %v", err)
	}
}

func TestRoots_LinkFoundDuringAWalk(t *testing.T) {
	dir := t.TempDir()
	root, other := filepath.Join(dir, "root"), filepath.Join(dir, "other")
	write(t, filepath.Join(root, "a.jsonl"))
	write(t, filepath.Join(other, "b.jsonl"))
	set := newSet(t, true, root)
	link, found := filepath.Join(root, "link"), make(chan error, 1)
	err := set.WalkFiles(t.Context(), func(roots.File) {
		symlink(t, other, link) // too late for this walk, which has read the names
		go func() {
			_, err := set.WalkUnder(t.Context(), link, func(roots.File) {})
			found <- err
		}()
		for deadline := time.Now().Add(50 * time.Millisecond); len(found) == 0 && time.Now().Before(deadline); {
			runtime.Gosched()
		}
	})
	if err = errors.Join(err, <-found); err != nil {
		t.Fatal(err)
	}
	if !set.ContainsPath(filepath.Join(other, "b.jsonl")) {
		t.Error("the link is forgotten")
	}
}

func TestUnder(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"p/a.jsonl", "p/a/sub.jsonl", "q/b.jsonl", "q/c.txt", "q/.d.jsonl"} {
		write(t, filepath.Join(dir, name))
	}
	set := newSet(t, false, dir)
	for path, want := range map[string]string{
		"": "p/a.jsonl p/a/sub.jsonl q/b.jsonl", "p": "p/a.jsonl p/a/sub.jsonl", "p/a.jsonl": "p/a.jsonl", "q/c.txt": "", "q/.d.jsonl": "", "none": "",
	} {
		var got []string
		told, err := set.WalkUnder(t.Context(), filepath.Join(dir, path), func(f roots.File) {
			rel, _ := filepath.Rel(dir, f.Path)
			got = append(got, filepath.ToSlash(rel))
		})
		if err != nil || strings.Join(got, " ") != want || len(told) != 1 {
			t.Errorf("Under(%q) = %q %q %v, want %q", path, got, told, err, want)
		}
	}
	if _, err := set.WalkUnder(t.Context(), filepath.Dir(dir), func(roots.File) {}); !errors.Is(err, session.ErrNotFound) {
		t.Errorf("Under above the root = %v", err)
	}
}
