package store

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sessiontree/internal/session"
)

// Retracted lines are made durable in the background. If that fails, the session has a
// note.
func TestSyncRetractedFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "kept.jsonl")
	if err := os.WriteFile(file, []byte("{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, fails := range map[string]bool{
		file: false, filepath.Join(filepath.Dir(file), "deleted.jsonl"): false, filepath.Join(file, "below-a-file.jsonl"): true,
	} {
		s := &Session{tree: session.BuildTree(session.Header{}, nil, nil)}
		s.meta.Store(&sessionMeta{})
		s.syncRetractedFile(path)
		notes := s.Notes()
		if fails != (len(notes) == 1) || fails && !strings.Contains(notes[0].Text, path) {
			t.Errorf("%s: notes %+v", path, notes)
		}
	}
}
