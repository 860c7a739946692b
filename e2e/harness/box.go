package harness

import (
	"os"
	"path/filepath"
	"time"

	"sessiontree/internal/bench/transcript"
)

// Box is a directory of session files as an agent keeps them.
type Box struct {
	Dir string

	t T
}

// Start0 is when the sessions of tests begin.
var Start0 = time.Date(2026, 2, 3, 9, 0, 0, 0, time.UTC)

// NewBox makes an empty directory of sessions.
func NewBox(t T) *Box {
	t.Helper()
	return &Box{Dir: t.TempDir(), t: t}
}

// Put writes a session file in the directory of its project and answers its path.
func (b *Box) Put(f *transcript.File) string {
	b.t.Helper()
	path := filepath.Join(b.Dir, "--project--", f.Name(Start0))
	b.Write(path, f.Bytes())
	return path
}

// Write writes a file in place, with the directories above it.
func (b *Box) Write(path string, data []byte) {
	b.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		b.t.Fatalf("%v", err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		b.t.Fatalf("%v", err)
	}
}

// Replace writes a file beside path and renames it over it, as oh-my-pi does.
func (b *Box) Replace(path string, data []byte) {
	b.t.Helper()
	temp := filepath.Join(filepath.Dir(path), ".replace.tmp")
	b.Write(temp, data)
	if err := os.Rename(temp, path); err != nil {
		b.t.Fatalf("%v", err)
	}
}

// Append adds bytes to a file in one write, as an agent does.
func (b *Box) Append(path string, data []byte) {
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
