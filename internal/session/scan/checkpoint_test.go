package scan_test

import (
	"bytes"
	"encoding/gob"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"sessiontree/internal/session/format"
	"sessiontree/internal/session/roots"
	"sessiontree/internal/session/scan"
)

// A mark that was read from disk tells without opening the file that it is as it was,
// but not when the file was written since and given its old time and size.
func TestMarkFromDisk(t *testing.T) {
	if runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
		t.Skip("files have no identity here")
	}
	path := filepath.Join(t.TempDir(), "s.jsonl")
	long := time.Now().Add(-time.Hour)
	writeEntry(t, path, "one", long)
	mark := throughDisk(t, readCheckpoint(t, path))
	if !mark.MatchesFileInfo(foundFile(t, path).Info) {
		t.Error("a file that nobody touched counts as changed")
	}
	for deadline := time.Now().Add(time.Minute); ; { // two writes in one tick of the system's clock look alike
		writeEntry(t, path, "two", long)
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

// writeEntry writes a session of one entry.
func writeEntry(t testing.TB, path, text string, at time.Time) {
	t.Helper()
	lines := `{"type":"session","version":3,"id":"s1","timestamp":"2026-01-02T03:04:05.000Z","cwd":"/home/dev/p"}
{"type":"message","id":"u","parentId":null,"timestamp":"2026-01-02T03:04:06.000Z","message":{"role":"user","content":"` + text + `"}}
`
	if err := errors.Join(os.WriteFile(path, []byte(lines), 0o644), os.Chtimes(path, at, at)); err != nil {
		t.Fatal(err)
	}
}

// readCheckpoint returns the checkpoint after the whole file.
func readCheckpoint(t testing.TB, path string) scan.Checkpoint {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	kind, err := scan.SniffFormat(format.All, f, path)
	if err != nil {
		t.Fatal(err)
	}
	r := scan.NewReader(kind, path, scan.Options{MaxLineSize: scan.MaxLineSize})
	if err := r.ReadTo(t.Context(), f, info.Size()); err != nil {
		t.Fatal(err)
	}
	return scan.NewCheckpoint(r, info)
}

func throughDisk(t testing.TB, m scan.Checkpoint) (read scan.Checkpoint) {
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
	set, err := roots.New([]string{filepath.Dir(path)}, false, nil)
	if err == nil {
		err = set.WalkFiles(t.Context(), func(f roots.File) { found = f })
	}
	if err != nil {
		t.Fatal(err)
	}
	return found
}
