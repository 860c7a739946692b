package store_test

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sessiontree/internal/session/store"
)

// A short write is truncated again, but not if another writer has appended: then the
// bytes stay, and the error says so.
func TestUndoShortWrite(t *testing.T) {
	before, part := strings.Join(talk(), ""), `{"type":"lab`
	for name, test := range map[string]struct{ after, left, said string }{
		"alone":                  {"", before, "nothing was written"},
		"another one wrote then": {message("a4", "a3", "user", "hm"), before + part + message("a4", "a3", "user", "hm"), "unfinished line"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "a.jsonl")
			write(t, path, before, part)
			f, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if _, err := f.WriteString(test.after); err != nil {
				t.Fatal(err)
			}
			err = store.TakeBack(f, int64(len(before)), len(part), io.ErrShortWrite)
			if err == nil || !strings.Contains(err.Error(), test.said) {
				t.Errorf("%v, want %q", err, test.said)
			}
			if got := content(t, path); got != test.left {
				t.Errorf("left %q", got[max(0, len(got)-200):])
			}
		})
	}
}
