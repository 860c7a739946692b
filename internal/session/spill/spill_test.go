package spill_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sessiontree/internal/session/spill"
)

// What was added is read again, from a file without a name.
func TestFile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "made when it is needed")
	f := spill.New(dir)
	var moved []spill.Bytes
	want := func(n int) string { return strings.Repeat(fmt.Sprint(n), n*100) }
	for n := range 5 {
		b, err := f.Add([]byte(want(n)))
		if err != nil || b.Size != len(want(n)) {
			t.Fatalf("%d bytes were added, %v", b.Size, err)
		}
		moved = append(moved, b)
	}
	for n, b := range moved {
		if got, err := b.Read(nil); err != nil || string(got) != want(n) {
			t.Errorf("%d: %q, %v", n, got, err)
		}
	}
	if names, err := os.ReadDir(dir); err != nil || len(names) > 0 {
		t.Errorf("the file has a name: %v, %v", names, err)
	}
}

// Without a directory nothing is added.
func TestFile_noDirectory(t *testing.T) {
	blocked := filepath.Join(t.TempDir(), "a file")
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if b, err := spill.New(blocked).Add([]byte("text")); err == nil || b.Size != 0 {
		t.Errorf("%d bytes were added, %v", b.Size, err)
	}
}
