package store_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

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

// TestRoots_LinkFoundDuringAWalk creates a link during a full walk. A walk of the link
// alone finds it, and the full walk does not remove it.
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
