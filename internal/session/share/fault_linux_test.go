package share_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// child makes the test program one that may write little, when it is started as one:
// it shares the session of its first argument in the directory of the second one.
func child() {
	if os.Getenv("SHARE_CHILD") == "" {
		return
	}
	var t thrower
	limit := unix.Rlimit{Cur: 16 << 10, Max: 16 << 10}
	if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &limit); err != nil {
		t.Fatal(err)
	}
	_, _, err := shares(t, os.Args[2], newClock()).Create(ctx, whole(source(t, os.Args[1])))
	if err == nil {
		t.Fatal("it was shared")
	}
	fmt.Print(err)
	os.Exit(0)
}

type thrower struct{}

func (thrower) Fatal(args ...any) {
	fmt.Fprintln(os.Stderr, args...)
	os.Exit(1)
}

// Where there is no room, nothing is left, and it is said why.
func TestNoRoom(t *testing.T) {
	dir, kept := t.TempDir(), t.TempDir()
	a := newAgent(t, dir)
	for range 100 {
		a.say(a.leaf, "user", strings.Repeat("much ", 100))
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, a.path, kept)
	cmd.Env = append(os.Environ(), "SHARE_CHILD=1")
	cmd.Stderr = os.Stderr
	said, err := cmd.Output()
	if err != nil || !strings.Contains(string(said), "the share cannot be made") || !strings.Contains(string(said), "file too large") {
		t.Errorf("%q, %v", said, err)
	}
	if left := files(t, kept); len(left) != 0 {
		t.Error(left)
	}
}

// A directory that cannot be made is said to be one.
func TestNoPlace(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "shares")
	s := shares(t, dir, newClock())
	if err := os.WriteFile(dir, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.Create(ctx, whole(source(t, forked))); !errors.Is(err, unix.ENOTDIR) || !strings.Contains(err.Error(), dir) {
		t.Error(err)
	}
}
