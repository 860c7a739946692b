package harness

import (
	"os"
	"path/filepath"
	"time"

	"sessiontree/internal/testgen/transcript"
)

// SessionDir is a directory of session files like an agent's.
type SessionDir struct {
	Dir string

	t T
}

// SessionStart is the start time of test sessions.
var SessionStart = time.Date(2026, 2, 3, 9, 0, 0, 0, time.UTC)

// NewSessionDir creates an empty directory of sessions.
func NewSessionDir(t T) *SessionDir {
	t.Helper()
	return &SessionDir{Dir: t.TempDir(), t: t}
}

// WriteSession writes a session file into the directory of its project and returns its
// path.
func (b *SessionDir) WriteSession(f *transcript.File) string {
	b.t.Helper()
	path := filepath.Join(b.Dir, "--project--", f.FileName(SessionStart))
	b.WriteFile(path, f.Bytes())
	return path
}

// WriteFile writes a file in place and creates its directories.
func (b *SessionDir) WriteFile(path string, data []byte) {
	b.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		b.t.Fatalf("%v", err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		b.t.Fatalf("%v", err)
	}
}

// ReplaceFile replaces a file by renaming a new one, as oh-my-pi does.
func (b *SessionDir) ReplaceFile(path string, data []byte) {
	b.t.Helper()
	temp := filepath.Join(filepath.Dir(path), ".replace.tmp")
	b.WriteFile(temp, data)
	if err := os.Rename(temp, path); err != nil {
		b.t.Fatalf("%v", err)
	}
}

// AppendFile appends to a file in one write, as an agent does.
func (b *SessionDir) AppendFile(path string, data []byte) {
	b.t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		b.t.Fatalf("%v", err)
	}
	if _, err := f.Write(data); err != nil {
		b.t.Fatalf("%v", err)
	}
	if err := f.Close(); err != nil {
		b.t.Fatalf("%v", err)
	}
}
