package store_test

import (
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
	"sessiontree/internal/session/store"
)

// walk returns the files that WalkFiles reports, relative to base, with errors.
func walk(t testing.TB, lib *store.Library, base string) []string {
	t.Helper()
	base, err := filepath.EvalSymlinks(base)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	err = lib.Roots().WalkFiles(ctx, func(f roots.File) {
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
		write(t, filepath.Join(dir, name), header)
	}
	want := []string{"p/a.jsonl", "p/b.jsonl", "p/a/deep/er/x.jsonl", "p/a/sub.jsonl", "q/dir.jsonl/inner.jsonl", "q/name with\nnewline.jsonl", "q/\u202eevil.jsonl"}
	lib := library(t, dir, filepath.Join(dir, "p"), dir) // roots may overlap
	got := walk(t, lib, dir)
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("Walk tells %q, want %q", got, want)
	}
	for _, name := range want {
		if _, err := lib.Open(ctx, filepath.Join(dir, name)); err != nil {
			t.Errorf("Open(%q): %v", name, err)
		}
	}
}

func TestWalk_ItsContextEndsIt(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "p", "a.jsonl"), header)
	cancelled, cancel := contextCancelled()
	defer cancel()
	if err := library(t, dir).Roots().WalkFiles(cancelled, func(roots.File) {}); !errors.Is(err, cancelled.Err()) {
		t.Errorf("Walk = %v", err)
	}
}

func TestRoots_OutsideIsRefused(t *testing.T) {
	dir := t.TempDir()
	inside, outside := filepath.Join(dir, "in"), filepath.Join(dir, "out.jsonl")
	write(t, filepath.Join(inside, "a.jsonl"), header)
	write(t, outside, header)
	symlink(t, outside, filepath.Join(inside, "link.jsonl"))
	lib := library(t, inside)
	for _, path := range []string{outside, filepath.Join(inside, "..", "out.jsonl"), inside + ".jsonl", "/", filepath.Join(inside, "none.jsonl"), "a.jsonl"} {
		if _, err := lib.Open(ctx, path); !errors.Is(err, session.ErrNotFound) {
			t.Errorf("Open(%s) = %v, want ErrNotFound", path, err)
		}
	}
	if s, err := lib.Open(ctx, filepath.Join(inside, "link.jsonl")); err == nil {
		t.Errorf("a link led out of the root to %s", s.Path())
	}
}

func TestRoots_LinkAsArgument(t *testing.T) {
	dir := t.TempDir()
	real := filepath.Join(dir, "real")
	write(t, filepath.Join(real, "a.jsonl"), header, user("u1", "", "x"))
	link := filepath.Join(dir, "link")
	symlink(t, real, link)
	lib := library(t, link)
	if got := walk(t, lib, real); !slices.Equal(got, []string{"a.jsonl"}) {
		t.Fatalf("Walk tells %q", got)
	}
	a, err := lib.Open(ctx, filepath.Join(link, "a.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	b, err := lib.Open(ctx, filepath.Join(real, "a.jsonl"))
	if err != nil || a != b {
		t.Errorf("the two names of a file open two sessions (%v)", err)
	}
}

func TestRoots_SingleFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "any name")
	write(t, path, header, user("u1", "", "x"))
	write(t, filepath.Join(dir, "b.jsonl"), header)
	lib := library(t, path)
	if got := walk(t, lib, dir); !slices.Equal(got, []string{"any name"}) {
		t.Errorf("Walk tells %q", got)
	}
	if _, err := lib.Open(ctx, path); err != nil {
		t.Error(err)
	}
	if _, err := lib.Open(ctx, filepath.Join(dir, "b.jsonl")); !errors.Is(err, session.ErrNotFound) {
		t.Errorf("Open of its neighbour = %v", err)
	}
}

func TestRoots_LinkInside(t *testing.T) {
	dir := t.TempDir()
	root, other := filepath.Join(dir, "root"), filepath.Join(dir, "other")
	write(t, filepath.Join(root, "p", "a.jsonl"), header)
	write(t, filepath.Join(other, "b.jsonl"), header)
	symlink(t, other, filepath.Join(root, "linked"))
	symlink(t, filepath.Join(root, "p"), filepath.Join(root, "same"))
	symlink(t, root, filepath.Join(other, "loop"))
	symlink(t, filepath.Join(dir, "nowhere"), filepath.Join(root, "broken"))

	got := walk(t, library(t, root), dir)
	if len(got) != 3 || got[0] != "root/broken: root/broken: broken link: no such file or directory" ||
		got[1] != "root/linked: root/linked: link to other, and links are not followed" ||
		got[2] != "root/p/a.jsonl" {
		t.Errorf("without following: %q", got)
	}

	lib := libraryWith(t, store.Config{Roots: []string{root}, FollowLinks: true})
	got = walk(t, lib, dir)
	slices.Sort(got)
	if len(got) != 3 || got[0] != "other/b.jsonl" || got[2] != "root/p/a.jsonl" {
		t.Errorf("following: %q", got)
	}
	if _, err := lib.Open(ctx, filepath.Join(other, "b.jsonl")); err != nil {
		t.Errorf("Open behind a link: %v", err)
	}

	if err := os.Remove(filepath.Join(root, "linked")); err != nil {
		t.Fatal(err)
	}
	walk(t, lib, dir)
	if _, err := lib.Open(ctx, filepath.Join(other, "b.jsonl")); !errors.Is(err, session.ErrNotFound) {
		t.Errorf("Open behind a link that is gone = %v", err)
	}
}

// TestRoots_LinkFoundDuringAWalk creates a link during a full walk. A walk of the link
// alone finds it, and the full walk does not remove it.
func TestRoots_LinkFoundDuringAWalk(t *testing.T) {
	dir := t.TempDir()
	root, other := filepath.Join(dir, "root"), filepath.Join(dir, "other")
	write(t, filepath.Join(root, "a.jsonl"), header)
	write(t, filepath.Join(other, "b.jsonl"), header)
	lib := libraryWith(t, store.Config{Roots: []string{root}, FollowLinks: true})
	link, found := filepath.Join(root, "link"), make(chan error, 1)
	err := lib.Roots().WalkFiles(ctx, func(roots.File) {
		symlink(t, other, link) // too late for this walk, which has read the names
		go func() {
			_, err := lib.Roots().WalkUnder(ctx, link, func(roots.File) {})
			found <- err
		}()
		for deadline := time.Now().Add(50 * time.Millisecond); len(found) == 0 && time.Now().Before(deadline); {
			runtime.Gosched()
		}
	})
	if err = errors.Join(err, <-found); err != nil {
		t.Fatal(err)
	}
	if !lib.Roots().ContainsPath(filepath.Join(other, "b.jsonl")) {
		t.Error("the link is forgotten")
	}
}

func TestRoots_DeletedAndMadeAgain(t *testing.T) {
	root := filepath.Join(t.TempDir(), "later", "root")
	lib := library(t, root)
	var got []string
	if lib.Roots().VisitDirs(ctx, func(dir string) { got = append(got, dir) }); !slices.Equal(got, []string{root}) {
		t.Errorf("Dirs visits %q before the root exists", got)
	}
	path := filepath.Join(root, "p", "a.jsonl")
	var s *store.Session
	for n := range 3 {
		if got := walk(t, lib, filepath.Dir(filepath.Dir(root))); len(got) != 0 {
			t.Fatalf("Walk tells %q of a missing root", got)
		}
		write(t, path, header, user("u1", "", strings.Repeat("x", n)))
		if got := walk(t, lib, root); !slices.Equal(got, []string{"p/a.jsonl"}) {
			t.Fatalf("Walk tells %q", got)
		}
		now, err := lib.Open(ctx, path)
		if err != nil || s != nil && now != s {
			t.Fatalf("round %d: %v, same session %v", n, err, now == s)
		}
		s = now
		if err := os.RemoveAll(filepath.Dir(root)); err != nil {
			t.Fatal(err)
		}
		refresh(t, s, store.Removed)
	}
}

func TestRoots_WhatIsNoFile(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no pipes in directories")
	}
	dir := t.TempDir()
	if err := mkfifo(filepath.Join(dir, "pipe.jsonl")); err != nil {
		t.Skip(err)
	}
	lib := library(t, dir)
	if got := walk(t, lib, dir); len(got) != 1 || !strings.HasSuffix(got[0], "it is not a regular file") {
		t.Errorf("Walk tells %q", got)
	}
	if _, err := lib.Open(ctx, filepath.Join(dir, "pipe.jsonl")); !errors.Is(err, session.ErrNoSession) {
		t.Errorf("Open = %v", err) // it did not wait for a writer
	}
	if _, err := lib.Open(ctx, dir); !errors.Is(err, session.ErrNoSession) {
		t.Errorf("Open of a directory = %v", err)
	}
}

func TestUnder(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"p/a.jsonl", "p/a/sub.jsonl", "q/b.jsonl", "q/c.txt", "q/.d.jsonl"} {
		write(t, filepath.Join(dir, name), header)
	}
	lib := library(t, dir)
	for path, want := range map[string]string{
		"": "p/a.jsonl p/a/sub.jsonl q/b.jsonl", "p": "p/a.jsonl p/a/sub.jsonl", "p/a.jsonl": "p/a.jsonl", "q/c.txt": "", "q/.d.jsonl": "", "none": "",
	} {
		var got []string
		told, err := lib.Roots().WalkUnder(ctx, filepath.Join(dir, path), func(f roots.File) {
			rel, _ := filepath.Rel(dir, f.Path)
			got = append(got, filepath.ToSlash(rel))
		})
		if err != nil || strings.Join(got, " ") != want || len(told) != 1 {
			t.Errorf("Under(%q) = %q %q %v, want %q", path, got, told, err, want)
		}
	}
	if _, err := lib.Roots().WalkUnder(ctx, filepath.Dir(dir), func(roots.File) {}); !errors.Is(err, session.ErrNotFound) {
		t.Errorf("Under above the root = %v", err)
	}
}
