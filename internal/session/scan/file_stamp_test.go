package scan_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"sessiontree/internal/session/scan"
)

func TestFileStamp(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	written := time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)
	write := func(text string, at time.Time) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	stat := func() fs.FileInfo {
		t.Helper()
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return info
	}
	write("text", written)
	s := scan.NewFileStamp(stat())
	if !s.Matches(stat()) {
		t.Error("an unchanged file does not match")
	}
	write("text", written.Add(time.Second))
	if s.Matches(stat()) {
		t.Error("a file that was written later matches")
	}
	write("more text", written)
	if s.Matches(stat()) {
		t.Error("a longer file matches")
	}
	if err := os.Rename(path, path+" before"); err != nil { // or its number may be used again
		t.Fatal(err)
	}
	write("text", written)
	if s.Matches(stat()) {
		t.Error("another file of the same size and time matches")
	}
}
