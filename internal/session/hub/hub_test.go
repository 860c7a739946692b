package hub

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"sessiontree/internal/session/archive"
	"sessiontree/internal/session/roots"
	"sessiontree/internal/session/team"
)

var _ roots.Copies = (*Files)(nil)

func newHub(t *testing.T) *Hub {
	t.Helper()
	h, err := New(Config{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// store stores a file of a person.
func store(t *testing.T, h *Hub, person, path string) {
	t.Helper()
	put(t, h, person, path)
	_, err := h.Archive.Append(t.Context(), archive.Segment{Path: path, Generation: 1, Before: archive.EmptyChain, Data: []byte(path + "\n"), ModTime: time.Now()})
	if err != nil {
		t.Fatal(err)
	}
}

func put(t *testing.T, h *Hub, person, path string) {
	t.Helper()
	if err := h.Registry.PutFile(t.Context(), team.File{Path: path, Session: path, Person: person}); err != nil {
		t.Fatal(err)
	}
}

// The files of a person are those that the person may read, in directories that have some.
func TestFiles(t *testing.T) {
	h := newHub(t)
	store(t, h, "ada", "/pc/pi/a/one.jsonl")
	store(t, h, "ben", "/pc/pi/b/two.jsonl")
	put(t, h, "ada", "/pc/pi/c/nothing-yet.jsonl")
	f := h.FilesOf("ada")
	dir := f.Dir()
	var walked []string
	f.WalkCopies(dir, func(path string, info fs.FileInfo) { walked = append(walked, path) })
	if !slices.Equal(walked, []string{dir + "/pc/pi/a/one.jsonl"}) {
		t.Errorf("walked %q", walked)
	}
	for path, wantDir := range map[string]bool{dir: true, dir + "/pc/pi": true, dir + "/pc/pi/a": true, dir + "/pc/pi/a/one.jsonl": false} {
		if info, err := f.StatCopy(path); err != nil || info.IsDir() != wantDir {
			t.Errorf("%s: %v, %v", path, info, err)
		}
	}
	for _, path := range []string{dir + "/pc/pi/b", dir + "/pc/pi/b/two.jsonl", dir + "/none", "/pc/pi/a/one.jsonl", dir + "/../pc", ""} {
		_, statErr := f.StatCopy(path)
		_, openErr := f.OpenCopy(path)
		_, readErr := f.ReadCopyDir(path)
		for _, err := range []error{statErr, openErr, readErr} {
			if !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s: %v", path, err)
			}
		}
	}
	entries, err := f.ReadCopyDir(dir + "/pc/pi")
	if err != nil || len(entries) != 1 || entries[0].Name() != "a" {
		t.Errorf("the directory has %v, %v", entries, err)
	}
	if err := h.Registry.SetVisibility(t.Context(), "/pc/pi/b/two.jsonl", team.Team); err != nil {
		t.Fatal(err)
	}
	if _, err := h.FilesOf("").StatCopy(dir + "/pc/pi/b/two.jsonl"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("somebody who has not signed in may read it: %v", err)
	}
	if _, err := f.StatCopy(dir + "/pc/pi/b/two.jsonl"); err != nil {
		t.Errorf("after it was shared: %v", err)
	}
}

// A hub that begins to serve lists files that its archive has, also if a crash kept them from the list.
func TestVerifyArchive(t *testing.T) {
	dir := t.TempDir()
	h, err := New(Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	store(t, h, "ada", "/pc/one.jsonl")
	if err := errors.Join(h.Close(), os.Remove(filepath.Join(dir, "archive", "journal"))); err != nil {
		t.Fatal(err)
	}
	if h, err = New(Config{Dir: dir}); err != nil {
		t.Fatal(err)
	}
	if err := h.VerifyArchive(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !h.Archive.Has("/pc/one.jsonl") {
		t.Error("the file is not listed")
	}
}

// Bytes that nobody owns are deleted, others stay.
func TestPurgeUnknown(t *testing.T) {
	h := newHub(t)
	store(t, h, "ada", "/pc/one.jsonl")
	store(t, h, "ada", "/pc/two.jsonl")
	if _, err := h.Registry.DeleteSession(t.Context(), "/pc/one.jsonl"); err != nil { // and then the hub was killed
		t.Fatal(err)
	}
	if err := h.PurgeUnknown(t.Context()); err != nil {
		t.Fatal(err)
	}
	if h.Archive.Has("/pc/one.jsonl") || !h.Archive.Has("/pc/two.jsonl") {
		t.Error("the wrong file is stored")
	}
}
