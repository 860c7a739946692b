//go:build unix

package statedir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// checkStateDir refuses a state directory that other users could change, as ssh does,
// because it holds the token and the shares.
func checkStateDir(dir string) error {
	info, err := os.Stat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("state directory: %w", err)
	}
	of, ok := info.Sys().(*syscall.Stat_t)
	switch {
	case !info.IsDir():
		return newStateDirError("the state directory %s is not a directory: choose another with --state DIR", dir)
	case ok && int(of.Uid) != os.Geteuid():
		return newStateDirError("the state directory %s belongs to another user (uid %d, not %d): take ownership with chown %d, or choose another with --state DIR", dir, of.Uid, os.Geteuid(), os.Geteuid())
	case info.Mode().Perm()&0o022 != 0:
		return newStateDirError("other users can write to the state directory %s: fix it with chmod go-w, or choose another with --state DIR", dir)
	}
	return nil
}
