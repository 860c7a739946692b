//go:build unix

package store_test

import (
	"context"
	"errors"
	"os"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"sessiontree/internal/session/store"
)

// Explorers exclude each other by a lock on the session's file itself, whatever their
// state directories are.
func TestApply_Lock(t *testing.T) {
	lib, s, path := changed(t, talk()...)
	other, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	lock := func(how int) error { return unix.Flock(int(other.Fd()), how|unix.LOCK_NB) }
	looked := 0
	lib.Pause(func(stage string) {
		if stage == "opened" {
			return // the lock is not taken yet
		}
		looked++
		if err := lock(unix.LOCK_EX); !errors.Is(err, unix.EWOULDBLOCK) {
			t.Errorf("another explorer is let in: %v", err)
		}
	})
	apply(t, s, setLabel("a0", "x"))
	if looked == 0 {
		t.Fatal("nothing was written")
	}
	if err := lock(unix.LOCK_EX); err != nil {
		t.Fatalf("the lock is kept: %v", err)
	}
	before := content(t, path)
	short, stop := context.WithTimeout(ctx, 20*time.Millisecond)
	defer stop()
	if _, err := s.ApplyChange(short, setLabel("a0", "y"), store.Precondition{}); !errors.Is(err, context.DeadlineExceeded) || content(t, path) != before {
		t.Errorf("with another explorer's lock: %v", err)
	}
	if err := lock(unix.LOCK_UN); err != nil {
		t.Fatal(err)
	}
	lib.Pause(func(string) {})
	apply(t, s, setLabel("a0", "y"))
}
