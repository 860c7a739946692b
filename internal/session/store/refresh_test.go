package store

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/format"
)

// Of many who wait to refresh a session one looks at its files, and all see what was
// there when they came.
func TestRefresh_Together(t *testing.T) {
	const callers = 40
	path := filepath.Join(t.TempDir(), "one.jsonl")
	header := `{"type":"session","version":3,"id":"one","timestamp":"2026-01-01T10:00:00.000Z","cwd":"/p"}` + "\n"
	line := `{"type":"message","id":"u1","parentId":null,"timestamp":"2026-01-01T10:00:01.000Z","message":{"role":"user","content":"words"}}` + "\n"
	if err := os.WriteFile(path, []byte(header), 0o600); err != nil {
		t.Fatal(err)
	}
	lib, err := New(Config{Formats: format.All, Roots: []string{filepath.Dir(path)}})
	if err != nil {
		t.Fatal(err)
	}
	s, err := lib.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	s.updateMu.Lock()
	before := s.begun.Load()
	if err := os.WriteFile(path, []byte(header+line), 0o600); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range callers {
		all.Go(func() {
			if _, err := s.Refresh(context.Background()); err != nil {
				t.Error(err)
			}
			s.ReadTree(func(tree *session.Tree, _ Revision) {
				if tree.FindID("u1") == session.NoPos {
					t.Error("a refresh does not see what was written before it")
				}
			})
		})
	}
	awaitLocked(t, callers)
	s.updateMu.Unlock()
	all.Wait()
	if n := s.begun.Load() - before; n != 1 {
		t.Errorf("the files were looked at %d times for %d callers, want once", n, callers)
	}
}

// awaitLocked waits until so many goroutines wait for updateMu.
func awaitLocked(t *testing.T, n int) {
	t.Helper()
	buf := make([]byte, 4<<20)
	for end := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		waiting := 0
		for _, g := range strings.Split(string(buf[:runtime.Stack(buf, true)]), "\n\n") {
			if strings.Contains(g, "sync.Mutex.Lock") && strings.Contains(g, ".refreshAndNotify(") {
				waiting++
			}
		}
		if waiting == n {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%d of %d wait", waiting, n)
		}
	}
}
