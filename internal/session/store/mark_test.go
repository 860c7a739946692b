package store_test

import (
	"bytes"
	"encoding/gob"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"sessiontree/internal/session/roots"
	"sessiontree/internal/session/store"
)

// A mark that was read from disk tells without opening the file that it is as it was,
// but not when the file was written since and given its old time and size.
func TestMarkFromDisk(t *testing.T) {
	if runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
		t.Skip("files have no identity here")
	}
	path := filepath.Join(t.TempDir(), "s.jsonl")
	long := time.Now().Add(-time.Hour)
	write(t, path, header, user("u", "", "one"))
	setTime(t, path, long)
	s, err := library(t, filepath.Dir(path)).SummarizeFile(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	mark := throughDisk(t, s.Checkpoint)
	if !mark.MatchesFileInfo(foundFile(t, path).Info) {
		t.Error("a file that nobody touched counts as changed")
	}
	for deadline := time.Now().Add(time.Minute); ; { // two writes in one tick of the system's clock look alike
		write(t, path, header, user("u", "", "two"))
		setTime(t, path, long)
		now := foundFile(t, path)
		if now.Size != mark.Size || now.Mtime != mark.Mtime {
			t.Fatalf("size %d and time %d, want %d and %d", now.Size, now.Mtime, mark.Size, mark.Mtime)
		}
		if !mark.MatchesFileInfo(now.Info) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("a file that was written counts as unchanged")
		}
	}
}

func setTime(t testing.TB, path string, at time.Time) {
	t.Helper()
	if err := os.Chtimes(path, at, at); err != nil {
		t.Fatal(err)
	}
}

func throughDisk(t testing.TB, m store.Checkpoint) (read store.Checkpoint) {
	t.Helper()
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(m); err != nil {
		t.Fatal(err)
	}
	if err := gob.NewDecoder(&b).Decode(&read); err != nil {
		t.Fatal(err)
	}
	return read
}

func foundFile(t testing.TB, path string) (found roots.File) {
	t.Helper()
	if err := library(t, filepath.Dir(path)).Roots().WalkFiles(t.Context(), func(f roots.File) { found = f }); err != nil {
		t.Fatal(err)
	}
	return found
}
