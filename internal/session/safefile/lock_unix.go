//go:build unix

package safefile

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// IsSupported reports whether files can be locked on this system.
const IsSupported = true

// lockTimeout is how long to wait for another explorer.
const lockTimeout = 20 * time.Second

// AcquireLock takes the lock that all explorers take on a file they write to. The lock
// ends with the file descriptor, also if the process is killed.
func AcquireLock(ctx context.Context, f *os.File) error {
	until := time.Now().Add(lockTimeout)
	for wait := time.Millisecond; ; wait = min(2*wait, 16*time.Millisecond) {
		err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		switch {
		case err == nil:
			return nil
		case errors.Is(err, unix.EINTR):
			continue
		case !errors.Is(err, unix.EWOULDBLOCK):
			return &os.PathError{Op: "lock", Path: f.Name(), Err: err}
		case time.Now().After(until):
			return &Error{Kind: ErrLocked, Text: fmt.Sprintf("Another explorer has been writing to %s for %v.", f.Name(), lockTimeout)}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(wait):
		}
	}
}

// writeOnce writes with a single system call, so that the bytes of other writers cannot
// come between. It returns after a short write.
func writeOnce(f *os.File, b []byte) (int, error) {
	for {
		n, err := unix.Write(int(f.Fd()), b)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		return max(n, 0), os.NewSyscallError("write", err)
	}
}

// isProcessAlive reports whether a process runs.
func isProcessAlive(pid int) bool {
	err := unix.Kill(pid, 0)
	return err == nil || errors.Is(err, unix.EPERM)
}
