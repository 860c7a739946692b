package safefile

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// lockFileTimeout is how long writers wait for a lock file. They also remove one without
// an owner once it is older than this.
const lockFileTimeout = 500 * time.Millisecond

// maxRemoveTries is how often the removal of a lock file is tried.
const maxRemoveTries = 4

// LockFile is a lock file that this process holds, as the writers of some agents use. It
// is created exclusively and contains the process id and the time of its owner.
type LockFile struct {
	dir  *os.Root
	name string
	text []byte
}

// TryLock reports whether this process has the lock of AcquireLock now. It does not wait.
func TryLock(f *os.File) bool {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return AcquireLock(ctx, f) == nil
}

// AcquireLockFile creates the lock file of that name in dir. It replaces a lock file of a
// dead process, or an old one without an owner. It returns ErrLocked if another process
// keeps the lock. path is the file to be locked, for errors.
func AcquireLockFile(ctx context.Context, dir *os.Root, name, path string) (*LockFile, error) {
	g := &LockFile{dir: dir, name: name, text: fmt.Appendf(nil, "%d:%d\n", os.Getpid(), time.Now().UnixMilli())}
	until := time.Now().Add(lockFileTimeout)
	for {
		err := g.createLockFile()
		if err == nil {
			return g, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return nil, NewWriteError(path, "the directory", err)
		}
		gone, err := g.takeOverStaleLock()
		if err != nil {
			return nil, NewWriteError(path, "the agent's lock "+filepath.Base(name), err)
		}
		if gone {
			continue
		}
		if time.Now().After(until) {
			return nil, ErrLocked
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(10 * time.Millisecond):
		}
	}
}

func (g *LockFile) createLockFile() error {
	f, err := g.dir.OpenFile(g.name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(g.text)
	if err = errors.Join(err, f.Close()); err != nil {
		_ = g.dir.Remove(g.name)
	}
	return err
}

// takeOverStaleLock removes a lock file whose owner is gone. It renames the file first
// and puts it back if another process has locked meanwhile.
func (g *LockFile) takeOverStaleLock() (gone bool, err error) {
	seen, stale, err := g.readLockOwner()
	if errors.Is(err, fs.ErrNotExist) {
		return true, nil
	}
	if err != nil || !stale {
		return false, err
	}
	away := fmt.Sprintf("%s.%d.stale", g.name, os.Getpid())
	if err := g.dir.Rename(g.name, away); err != nil {
		return errors.Is(err, fs.ErrNotExist), IgnoreError(err, fs.ErrNotExist)
	}
	moved, err := g.dir.ReadFile(away)
	if err == nil && !bytes.Equal(moved, seen) {
		d := SystemDisk()
		err = IgnoreError(d.renameToNew(g.dir, away, g.name), fs.ErrExist)
	}
	return true, errors.Join(err, IgnoreError(g.dir.Remove(away), fs.ErrNotExist))
}

// readLockOwner reads the lock file and reports whether its owner is gone.
func (g *LockFile) readLockOwner() (text []byte, stale bool, err error) {
	info, err := g.dir.Lstat(g.name)
	if err != nil {
		return nil, false, err
	}
	text, err = g.dir.ReadFile(g.name)
	if err != nil {
		return nil, false, err
	}
	owner, _, ok := bytes.Cut(bytes.TrimSpace(text), []byte{':'})
	pid, perr := strconv.Atoi(string(owner))
	if !ok || perr != nil || pid <= 0 {
		return text, time.Since(info.ModTime()) > lockFileTimeout, nil
	}
	// The file itself is locked by then, so no other write of this process is under way.
	return text, pid == os.Getpid() || !isProcessAlive(pid), nil
}

// Release removes the lock file if it is still ours. It retries, because a leftover
// would keep the agent from writing as long as this process runs.
func (g *LockFile) Release() {
	for range maxRemoveTries {
		text, err := g.dir.ReadFile(g.name)
		if err == nil && bytes.Equal(text, g.text) {
			err = g.dir.Remove(g.name)
		}
		if err == nil || errors.Is(err, fs.ErrNotExist) {
			return
		}
	}
}
