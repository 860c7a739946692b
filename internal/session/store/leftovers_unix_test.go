//go:build unix

package store_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"sessiontree/internal/session/safefile"
	"sessiontree/internal/session/store"
)

// Temporary files of dead processes are removed after an hour; those of living
// processes, younger ones and those of other programs stay.
func TestRemoveLeftovers(t *testing.T) {
	dead := exec.Command("true")
	if err := dead.Run(); err != nil {
		t.Skip("no process to be dead")
	}
	dir, state := t.TempDir(), t.TempDir()
	name := func(pid int) string { return fmt.Sprintf(".explorer-%d-0123abcd.tmp", pid) }
	now := time.Now()
	for _, tt := range []struct {
		path string
		age  time.Duration
		kept bool
	}{
		{filepath.Join(dir, name(dead.Process.Pid)), 61 * time.Minute, false},
		{filepath.Join(dir, "p", "q", name(dead.Process.Pid)), 3 * time.Hour, false},
		{filepath.Join(state, "rewound", "x", name(dead.Process.Pid)), 3 * time.Hour, false},
		{filepath.Join(dir, "young", name(dead.Process.Pid)), 59 * time.Minute, true},
		{filepath.Join(dir, name(os.Getpid())), 3 * time.Hour, true},
		{filepath.Join(dir, ".explorer-1-x.tmp"), 3 * time.Hour, true},
		{filepath.Join(dir, ".a.jsonl.0123abcd.tmp"), 3 * time.Hour, true},
		{filepath.Join(dir, "a.jsonl"), 3 * time.Hour, true},
		{filepath.Join(dir, ".hidden", name(dead.Process.Pid)), 3 * time.Hour, true},
	} {
		write(t, tt.path, header)
		if err := os.Chtimes(tt.path, now, now.Add(-tt.age)); err != nil {
			t.Fatal(err)
		}
		for _, readOnly := range []bool{true, false} {
			lib := libraryWith(t, store.Config{Roots: []string{dir}, StateDir: state, ReadOnly: readOnly})
			if err := lib.RemoveLeftovers(ctx); err != nil {
				t.Fatal(err)
			}
			if _, err := os.Lstat(tt.path); (err == nil) != (tt.kept || readOnly) {
				t.Errorf("%s, read only %v: %v, want kept %v", tt.path, readOnly, err, tt.kept)
			}
		}
	}
}

// RemoveLeftovers recognizes what a killed fork leaves.
func TestRemoveLeftovers_ownNames(t *testing.T) {
	lib, s, path := changed(t, talk()...)
	var seen []string
	lib.OnLink(func() { seen, _ = filepath.Glob(filepath.Join(filepath.Dir(path), ".*")) })
	if _, err := s.Fork(ctx, "a1", ""); err != nil {
		t.Fatal(err)
	}
	if len(seen) != 1 || !safefile.IsTempName(filepath.Base(seen[0])) {
		t.Errorf("while a fork is written there is %v", seen)
	}
}
