//go:build unix

package store_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
)

func lockOf(path string) string {
	return filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".lock")
}

func putLockFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(lockOf(path), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// deadProcessID returns the id of a process that has ended.
func deadProcessID(t *testing.T) int {
	t.Helper()
	cmd := exec.Command("true")
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	return cmd.Process.Pid
}

func TestAgentLock(t *testing.T) {
	_, s, path := changed(t, ompTalk()...)
	label := setLabel("a0", "x")
	for name, text := range map[string]string{"of a live process": fmt.Sprintf("%d:%d\n", os.Getppid(), time.Now().UnixMilli()), "just made": ""} {
		putLockFile(t, path, text)
		if text == "" { // recently created, as by an agent that is about to write to it
			soon := time.Now().Add(time.Minute)
			if err := os.Chtimes(lockOf(path), soon, soon); err != nil {
				t.Fatal(err)
			}
		}
		refused(t, s, label, store.Precondition{}, session.ErrConflict)
		if content(t, lockOf(path)) != text {
			t.Errorf("the lock %s was touched", name)
		}
	}
	putLockFile(t, path, fmt.Sprintf("%d:%d\n", deadProcessID(t), time.Now().UnixMilli()))
	apply(t, s, label)
	putLockFile(t, path, "rubbish")
	old := time.Now().Add(-time.Minute)
	if err := os.Chtimes(lockOf(path), old, old); err != nil {
		t.Fatal(err)
	}
	apply(t, s, label)
	if files, _ := os.ReadDir(filepath.Dir(path)); len(files) != 1 {
		t.Errorf("left behind: %v", files)
	}
}

// A lock that this process could not remove keeps nobody from writing.
func TestAgentLock_ownLeftover(t *testing.T) {
	_, s, path := changed(t, ompTalk()...)
	putLockFile(t, path, fmt.Sprintf("%d:%d\n", os.Getpid(), time.Now().UnixMilli()))
	apply(t, s, setLabel("a0", "x"))
	if files, _ := os.ReadDir(filepath.Dir(path)); len(files) != 1 {
		t.Errorf("left behind: %v", files)
	}
}

// While we write, the agent finds our lock.
func TestAgentLock_IsTaken(t *testing.T) {
	lib, s, path := changed(t, ompTalk()...)
	seen := ""
	lib.Pause(once("checked", func() { seen = content(t, lockOf(path)) }))
	apply(t, s, setLabel("a0", "x"))
	if !strings.HasPrefix(seen, fmt.Sprintf("%d:", os.Getpid())) || !strings.HasSuffix(seen, "\n") {
		t.Errorf("the lock said %q", seen)
	}
}

// holdOpen opens a file in another process, for writing (>>) or reading (<).
func holdOpen(t *testing.T, path, redirect string) (release func()) {
	t.Helper()
	if _, err := os.Stat("/proc/self/fd"); err != nil {
		t.Skip("this system does not tell who holds a file")
	}
	cmd := exec.Command("sh", "-c", "exec 3"+redirect+`"$0"; echo; read x`, path)
	in, err1 := cmd.StdinPipe()
	out, err2 := cmd.StdoutPipe()
	if err1 != nil || err2 != nil || cmd.Start() != nil {
		t.Fatal(err1, err2)
	}
	if _, err := out.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	return func() { in.Close(); _ = cmd.Wait() }
}

// A file that is open for writing in its agent cannot be changed; one open for reading
// can.
func TestFindWriterProcess(t *testing.T) {
	_, s, path := changed(t, ompTalk()...)
	release := holdOpen(t, path, ">>")
	refused(t, s, setLabel("a0", "x"), store.Precondition{}, session.ErrConflict)
	if can := s.Capabilities(); can.Branch.IsPossible() || !can.Fork.IsPossible() {
		t.Errorf("abilities %+v", can)
	}
	release()
	release = holdOpen(t, path, "<")
	defer release()
	if w := eventually(t, func() (store.Written, error) { return s.ApplyChange(ctx, setLabel("a0", "x"), store.Precondition{}) }); len(w.Lines) != 1 {
		t.Errorf("%+v", w)
	}
}

// eventually calls fn until the cached holder of the file has expired.
func eventually(t *testing.T, fn func() (store.Written, error)) store.Written {
	t.Helper()
	until := time.Now().Add(10 * time.Second)
	for {
		w, err := fn()
		if err == nil {
			return w
		}
		if time.Now().After(until) {
			t.Fatal(err)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// While the agent has the file open no byte of it is overwritten.
func TestSlot_Held(t *testing.T) {
	_, s, path := changed(t, slotTalk("Old")...)
	before := content(t, path)
	defer holdOpen(t, path, ">>")()
	refused(t, s, rename("mine"), store.Precondition{}, session.ErrConflict)
	if can := s.Capabilities(); can.Name.IsPossible() || can.Name.InSidecar {
		t.Errorf("abilities %+v", can)
	}
	if content(t, path) != before {
		t.Error("the file was written to")
	}
}
