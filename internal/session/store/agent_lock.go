package store

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

	"sessiontree/internal/session"
)

// agentLockTimeout is how long an agent's own writers wait for the lock. They also
// remove a lock file without an owner once it is older than this.
const agentLockTimeout = 500 * time.Millisecond

// agentLock is the lock file of an agent's own writers, held by the explorer. It is
// created exclusively and holds the process id and the time of its owner.
type agentLock struct {
	dir  *os.Root
	name string
	text []byte
}

// acquireAgentLock creates the lock file next to a session file, by the rules of its
// agent: a lock file of a dead process, or an old one without an owner, is replaced.
func acquireAgentLock(ctx context.Context, at place, dir *os.Root, base string) (*agentLock, error) {
	name := filepath.Join(filepath.Dir(at.rel), base)
	g := &agentLock{dir: dir, name: name, text: fmt.Appendf(nil, "%d:%d\n", os.Getpid(), time.Now().UnixMilli())}
	until := time.Now().Add(agentLockTimeout)
	for {
		err := g.createLockFile()
		if err == nil {
			return g, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return nil, at.writeDeniedError("the directory", err)
		}
		gone, err := g.takeOverStaleLock()
		if err != nil {
			return nil, at.writeDeniedError("the agent's lock "+base, err)
		}
		if gone {
			continue
		}
		if time.Now().After(until) {
			return nil, newRefusal(session.ErrConflict, "The agent is writing to this session: it holds the lock %s.", base)
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(10 * time.Millisecond):
		}
	}
}

func (g *agentLock) createLockFile() error {
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
func (g *agentLock) takeOverStaleLock() (gone bool, err error) {
	seen, stale, err := g.readLockOwner()
	if errors.Is(err, fs.ErrNotExist) {
		return true, nil
	}
	if err != nil || !stale {
		return false, err
	}
	away := fmt.Sprintf("%s.%d.stale", g.name, os.Getpid())
	if err := g.dir.Rename(g.name, away); err != nil {
		return errors.Is(err, fs.ErrNotExist), ignoreError(err, fs.ErrNotExist)
	}
	moved, err := g.dir.ReadFile(away)
	if err == nil && !bytes.Equal(moved, seen) {
		d := systemDiskOps()
		err = ignoreError(d.renameToNew(g.dir, away, g.name), fs.ErrExist)
	}
	return true, errors.Join(err, ignoreError(g.dir.Remove(away), fs.ErrNotExist))
}

// readLockOwner reads the lock file and reports whether its owner is gone.
func (g *agentLock) readLockOwner() (text []byte, stale bool, err error) {
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
		return text, time.Since(info.ModTime()) > agentLockTimeout, nil
	}
	// The session file is locked by then, so no other write of this process is under way.
	return text, pid == os.Getpid() || !isProcessAlive(pid), nil
}

// removeLockFile removes the lock file if it is still ours. It retries, because a leftover
// would keep the agent from writing as long as this process runs.
func (g *agentLock) removeLockFile() {
	for range maxTries {
		text, err := g.dir.ReadFile(g.name)
		if err == nil && bytes.Equal(text, g.text) {
			err = g.dir.Remove(g.name)
		}
		if err == nil || errors.Is(err, fs.ErrNotExist) {
			return
		}
	}
}

// ignoreError returns nil if err is kind, else err.
func ignoreError(err, kind error) error {
	if errors.Is(err, kind) {
		return nil
	}
	return err
}
