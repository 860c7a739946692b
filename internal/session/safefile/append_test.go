package safefile

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A short write is truncated again, but not if another writer has appended: then the
// bytes stay, and the error says so.
func TestUndoShortWrite(t *testing.T) {
	before, part := "{\"id\":\"a\"}\n{\"id\":\"b\"}\n", `{"type":"lab`
	for name, test := range map[string]struct{ after, left, said string }{
		"alone":                  {"", before, "nothing was written"},
		"another one wrote then": {"{\"id\":\"c\"}\n", before + part + "{\"id\":\"c\"}\n", "unfinished line"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "a.jsonl")
			if err := os.WriteFile(path, []byte(before+part), 0o600); err != nil {
				t.Fatal(err)
			}
			f, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if _, err := f.WriteString(test.after); err != nil {
				t.Fatal(err)
			}
			err = undoShortWrite(f, int64(len(before)), len(part), io.ErrShortWrite)
			if err == nil || !strings.Contains(err.Error(), test.said) {
				t.Errorf("%v, want %q", err, test.said)
			}
			if got, err := os.ReadFile(path); err != nil || string(got) != test.left {
				t.Errorf("left %q, %v", got, err)
			}
		})
	}
}
