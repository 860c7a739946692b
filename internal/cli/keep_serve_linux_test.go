package cli

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"sessiontree/internal/session/archive"
	"sessiontree/internal/session/keep"
)

const keptLine = `{"type":"user","uuid":"00000000-0000-4000-8000-000000000001","parentUuid":null,"sessionId":"s","cwd":"/p","timestamp":"2026-03-01T10:00:00.000Z","version":"2.1.0","message":{"role":"user","content":"one"}}` + "\n"

// While copies are on, a running server stores an appended line within two seconds, and uses
// hardly any CPU while nothing changes.
func TestServe_keepsCopies(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	state, path := t.TempDir(), filepath.Join(root, "p", "s.jsonl")
	if err := errors.Join(os.Mkdir(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(keptLine), 0o600)); err != nil {
		t.Fatal(err)
	}
	startServer(t, "--listen", "127.0.0.1:0", "--state", state, root)
	if status := runCommandLine(t.Context(), []string{"--state", state, "keep", "on"}, io.Discard, io.Discard); status != 0 {
		t.Fatal("keep on: ", status)
	}
	copies := archive.NewDir(keep.ArchiveDir(state))
	waitForCopy(t, copies, path, int64(len(keptLine)))
	took := appendAndWait(t, copies, path)
	if took > 2*time.Second {
		took = appendAndWait(t, copies, path) // another test may have had the processors
	}
	if t.Logf("an appended line was stored after %v", took); took > 2*time.Second {
		t.Errorf("an appended line was stored after %v, want less than 2 s", took)
	}
	used := idleUse(t)
	for range 2 {
		if used > 1 {
			used = idleUse(t) // the server may have released memory, which it does once
		}
	}
	if t.Logf("%.2f %% of a processor without changes", used); used > 1 {
		t.Errorf("%.2f %% of a processor without changes, want less than 1 %%", used)
	}
}

// idleUse returns how many percent of a processor this process uses in the next four seconds.
// Garbage is collected and returned to the system before: the runtime uses 1 % to return it later.
func idleUse(t *testing.T) float64 {
	t.Helper()
	debug.FreeOSMemory()
	before, begin := processorTime(t), time.Now()
	time.Sleep(4 * time.Second) // nothing must happen
	return 100 * float64(processorTime(t)-before) / float64(time.Since(begin))
}

// appendAndWait appends a line to a file and returns how long it took to be stored.
func appendAndWait(t *testing.T, copies *archive.Dir, path string) time.Duration {
	t.Helper()
	text, err := os.ReadFile(path)
	if err == nil {
		var f *os.File
		if f, err = os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0); err == nil {
			_, err = f.WriteString(keptLine)
			err = errors.Join(err, f.Close())
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	waitForCopy(t, copies, path, int64(len(text)+len(keptLine)))
	return time.Since(begin)
}

func waitForCopy(t *testing.T, copies *archive.Dir, path string, size int64) {
	t.Helper()
	for until := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
		info, err := copies.Stat(path)
		if err == nil && info.Size() == size {
			return
		}
		if time.Now().After(until) {
			t.Fatalf("there is no copy of %d bytes: %v, %v", size, info, err)
		}
	}
}

// processorTime returns how long this process has used processors.
func processorTime(t *testing.T) time.Duration {
	t.Helper()
	var use unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &use); err != nil {
		t.Fatal(err)
	}
	return time.Duration(use.Utime.Nano() + use.Stime.Nano())
}

// The demo is never copied.
func TestServe_demoIsNotKept(t *testing.T) {
	state := t.TempDir()
	if status := runCommandLine(t.Context(), []string{"--state", state, "keep", "on"}, io.Discard, io.Discard); status != 0 {
		t.Fatal("keep on: ", status)
	}
	startServer(t, "--listen", "127.0.0.1:0", "--state", state, "--demo")
	time.Sleep(2500 * time.Millisecond) // nothing must happen
	if files, err := os.ReadDir(keep.ArchiveDir(state)); err == nil {
		t.Errorf("the archive has %v", files)
	}
}
