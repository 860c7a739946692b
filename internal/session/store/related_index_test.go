package store_test

import (
	"path/filepath"
	"testing"
)

// A session that grows by entries that no other file names changes nothing that files
// say of each other, so nothing known of the others has to be looked at.
func TestChangedSince(t *testing.T) {
	root := t.TempDir()
	path := filepath.Join(root, "-p", "s1.jsonl")
	claudeSaid := func(session, id, parent string) string {
		return `{"type":"user","sessionId":"` + session + `","uuid":"` + id + `","parentUuid":` + parentOf(parent) +
			`,"cwd":"/p","timestamp":"2026-01-01T10:00:00Z","message":{"role":"user","content":"x"}}` + "\n"
	}
	write(t, path, claudeSaid("s1", "u1", ""))
	write(t, filepath.Join(root, "-p", "s2.jsonl"), claudeSaid("s2", "u9", "u3"))
	write(t, filepath.Join(root, "-q", "s3.jsonl"), claudeSaid("s3", "v1", ""))
	lib := library(t, root)
	survey := func(path string) {
		t.Helper()
		if _, err := lib.SummarizeFile(t.Context(), path, lib.NewOwnerFinder()); err != nil {
			t.Fatal(err)
		}
	}
	s, err := lib.SummarizeFile(t.Context(), path, lib.NewOwnerFinder())
	if err != nil {
		t.Fatal(err)
	}
	survey(filepath.Join(root, "-p", "s2.jsonl"))
	survey(filepath.Join(root, "-q", "s3.jsonl"))
	dirs, links := lib.Related().ChangedSince(0)
	if len(dirs) != 2 || len(dirs[filepath.Join(root, "-p")]) != 2 {
		t.Fatalf("known are %v", dirs)
	}
	mark := s.Checkpoint
	grow := func(line string, want int) {
		t.Helper()
		add(t, path, line)
		a, ok, err := lib.ReadAdded(t.Context(), path, mark)
		if err != nil || !ok {
			t.Fatal(ok, err)
		}
		mark = a.Checkpoint
		dirs, links = lib.Related().ChangedSince(links)
		if len(dirs) != want {
			t.Errorf("after %s %d directories are looked at, want %d", line, len(dirs), want)
		}
	}
	grow(claudeSaid("s1", "u2", "u1"), 0)
	grow(claudeSaid("s1", "u3", "u2"), 1) // named by the other session
	grow(claudeSaid("s1", "u4", "u9"), 1) // names one of the other session
	grow(`{"type":"summary","summary":"A title","leafUuid":"u9"}`+"\n", 1)
}
