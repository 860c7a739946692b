//go:build unix

package store_test

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
)

// soon fails the test if something waits for the other end of a pipe.
func soon(t testing.TB, what string, do func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		do()
	}()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatalf("%s waits for ever", what)
	}
}

// A pipe that replaces a file between the check and the open does not block a thread.
func TestOpen_swappedForPipe(t *testing.T) {
	dir := t.TempDir()
	path, aside := filepath.Join(dir, "s.jsonl"), filepath.Join(dir, "aside")
	lib := libraryWith(t, store.Config{Roots: []string{dir}})
	stop := make(chan struct{})
	var swapping sync.WaitGroup
	swapping.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			_ = os.WriteFile(aside, []byte(header+user("a0", "", "hello")), 0o600)
			_ = os.Rename(aside, path)
			_ = mkfifo(aside)
			_ = os.Rename(aside, path)
		}
	})
	soon(t, "opening", func() {
		for range 500 {
			_, err := lib.Open(ctx, path)
			if err != nil && !errors.Is(err, session.ErrNoSession) && !errors.Is(err, session.ErrNotFound) {
				t.Errorf("Open: %v", err)
			}
		}
	})
	close(stop)
	swapping.Wait()
}

// A pipe among the member files does not block a thread either.
func TestOpen_pipeBeside(t *testing.T) {
	p := newProject(t)
	const id = "5a8e8f5e-0000-4000-8000-000000000001"
	write(t, p.path(id+".jsonl"), recordedLines(id, "", "u01 - hello"))
	if err := os.MkdirAll(p.path(id), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := mkfifo(p.path(id + "/custom-title.json")); err != nil {
		t.Fatal(err)
	}
	soon(t, "opening", func() {
		if _, err := p.lib.Open(ctx, p.path(id+".jsonl")); err != nil {
			t.Errorf("Open: %v", err)
		}
	})
}
