package share_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sessiontree/internal/session/share"
)

// Only the owner can read the files.
func TestPermissions(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "shares")
	s := openShares(t, dir, newClock())
	_, made := createShare(t, s, wholeRequest(openSource(t, forkedFile)))
	s.CountVisit(made.ID)
	n := 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		n++
		info, err := d.Info()
		want := fs.FileMode(0o600)
		if d.IsDir() {
			want = 0o700
		}
		if err == nil && info.Mode().Perm() != want {
			t.Errorf("%s has %v", path, info.Mode())
		}
		return err
	})
	if err != nil || n != 7 { // with the labels, in their own directory
		t.Error(n, err)
	}
}

func TestVisits(t *testing.T) {
	dir, c := t.TempDir(), newClock()
	s, other := openShares(t, dir, c), openShares(t, dir, c)
	_, made := createShare(t, s, wholeRequest(openSource(t, forkedFile)))
	s.CountVisit(made.ID)
	other.CountVisit(made.ID)
	s.CountVisit("../" + made.ID)
	s.CountVisit("00000000")
	if got := s.List()[0]; got.Visits != 2 || time.Since(got.Visited) > time.Hour {
		t.Errorf("%d visits, the last one at %v", got.Visits, got.Visited)
	}
}

// A share whose snapshot was deleted is reported as gone.
func TestDeletedSnapshot(t *testing.T) {
	dir, c := t.TempDir(), newClock()
	s := openShares(t, dir, c)
	token, _ := createShare(t, s, wholeRequest(openSource(t, forkedFile)))
	for _, file := range listFiles(t, dir) {
		if filepath.Ext(file) == ".jsonl" {
			if err := os.Remove(file); err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, got, err := s.OpenSnapshot(t.Context(), token); !errors.Is(err, share.ErrGone) || !strings.Contains(err.Error(), "deleted") || !got.Lost {
		t.Error(err)
	}
	if got := s.List()[0].StateAt(c.now()); got != share.Lost {
		t.Error(got)
	}
}

// The leftovers of a crash are removed after an hour, because before that another process
// may still be writing them.
func TestLeftovers(t *testing.T) {
	dir, c := t.TempDir(), newClock()
	s := openShares(t, dir, c)
	_, made := createShare(t, s, wholeRequest(openSource(t, forkedFile)))
	for _, id := range []string{"0000000a", "notashare"} {
		if err := os.MkdirAll(filepath.Join(dir, id), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	file, temp := filepath.Join(dir, "0000000a", "x.jsonl"), filepath.Join(dir, made.ID, ".new-1")
	for _, file := range []string{file, temp} {
		if err := os.WriteFile(file, []byte("{}\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c.time = time.Now()
	openShares(t, dir, c)
	if _, err := os.Stat(file); err != nil {
		t.Error(err)
	}
	c.time = c.time.Add(2 * time.Hour)
	if s := openShares(t, dir, c); len(s.List()) != 1 || s.List()[0].ID != made.ID {
		t.Error(s.List())
	}
	if _, err := os.Stat(filepath.Dir(file)); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if _, err := os.Stat(temp); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "notashare")); err != nil {
		t.Error(err)
	}
}
