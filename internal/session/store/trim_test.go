package store_test

import (
	"fmt"
	"path/filepath"
	"runtime"
	"testing"
)

// Unused sessions are evicted; one in use stays the same.
func TestTrimMemory(t *testing.T) {
	root := t.TempDir()
	lib := library(t, root)
	open := func(i int) string {
		path := filepath.Join(root, fmt.Sprintf("%d.jsonl", i))
		write(t, path, header, user("u1", "", "words"))
		return path
	}
	held, err := lib.Open(ctx, open(0))
	if err != nil {
		t.Fatal(err)
	}
	for i := range 20 {
		if _, err := lib.Open(ctx, open(i+1)); err != nil {
			t.Fatal(err)
		}
	}
	lib.TrimMemory(0)
	runtime.GC()
	if n := len(lib.OpenSessions()); n != 1 {
		t.Errorf("%d sessions are open, want the one that is held", n)
	}
	if again, err := lib.Open(ctx, held.Path()); err != nil || again != held {
		t.Errorf("Open of the held session = %p, %v, want %p", again, err, held)
	}
}
