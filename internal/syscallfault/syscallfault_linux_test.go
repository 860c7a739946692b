package syscallfault

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sys/unix"
)

// Every call of writing a file fails in its turn, with the error asked for, and no more
// than one.
func TestFail(t *testing.T) {
	calls := Run(t)
	if calls == nil {
		return
	}
	path := filepath.Join(t.TempDir(), "file")
	for _, f := range []Fault{{Err: unix.EIO}, {Err: unix.ENOSPC}} {
		var hits []string
		for n := 0; ; n++ {
			var err error
			hit := calls.Fail(n, f, func() { err = os.WriteFile(path, []byte("text"), 0o600) })
			if hit == "" {
				if err != nil {
					t.Errorf("without a fault: %v", err)
				}
				break
			}
			var at *fs.PathError
			if !errors.Is(err, f.Err) || !errors.As(err, &at) || at.Path != path || !strings.HasSuffix(hit, path) {
				t.Errorf("%s: %v", hit, err)
			}
			hits = append(hits, strings.Fields(hit)[0])
		}
		if got := strings.Join(hits, " "); got != "openat write close" {
			t.Errorf("calls %s", got)
		}
	}
	if open, err := filepath.Glob("/proc/self/fd/*"); err != nil || len(open) > 12 {
		t.Errorf("open are %v, %v", open, err)
	}
}

// Half of a short write is in the file, and the next write continues after it.
func TestFail_short(t *testing.T) {
	calls := Run(t)
	if calls == nil {
		return
	}
	f, err := os.Create(filepath.Join(t.TempDir(), "file"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	fd := int(f.Fd())
	var n int
	if hit := calls.Fail(0, Fault{Short: true}, func() { n, err = unix.Write(fd, []byte("123456")) }); hit == "" || n != 3 || err != nil {
		t.Errorf("%s: %d bytes, %v", hit, n, err)
	}
	if _, err := unix.Write(fd, []byte("x")); err != nil {
		t.Error(err)
	}
	if text, err := os.ReadFile(f.Name()); string(text) != "123x" || err != nil {
		t.Errorf("in the file is %q, %v", text, err)
	}
}

// The calls of every thread count.
func TestFail_threads(t *testing.T) {
	calls := Run(t)
	if calls == nil {
		return
	}
	dir := t.TempDir()
	for n := range 40 {
		var all sync.WaitGroup
		failed := make(chan error, 40)
		hit := calls.Fail(n, Fault{Err: unix.EIO}, func() {
			for range 40 {
				all.Go(func() {
					if _, err := os.Stat(dir); err != nil {
						failed <- err
					}
				})
			}
			all.Wait()
		})
		if err := <-failed; hit == "" || len(failed) > 0 || !errors.Is(err, unix.EIO) {
			t.Fatalf("%s: %v", hit, err)
		}
	}
}
