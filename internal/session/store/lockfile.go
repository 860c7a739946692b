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

// An agent's own writers give up after this time, and take over a lock that says
// nothing when it is older.
const agentPatience = 500 * time.Millisecond

// guest is the lock file that an agent's own writers take, taken by us. It is
// made exclusively and holds the owner's process and time.
type guest struct {
	dir  *os.Root
	name string
	text []byte
}

// takeGuest takes the lock file beside a session file, by its agent's rules: one
// left by a dead process, or one that says nothing for a while, is taken over.
func takeGuest(ctx context.Context, at place, dir *os.Root, base string) (*guest, error) {
	name := filepath.Join(filepath.Dir(at.rel), base)
	g := &guest{dir: dir, name: name, text: fmt.Appendf(nil, "%d:%d\n", os.Getpid(), time.Now().UnixMilli())}
	until := time.Now().Add(agentPatience)
	for {
		err := g.create()
		if err == nil {
			return g, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return nil, at.denied("the directory", err)
		}
		gone, err := g.takeOver()
		if err != nil {
			return nil, at.denied("the agent's lock "+base, err)
		}
		if gone {
			continue
		}
		if time.Now().After(until) {
			return nil, refuse(session.ErrConflict, "The agent is writing to this session: it holds the lock %s.", base)
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(10 * time.Millisecond):
		}
	}
}

func (g *guest) create() error {
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

// takeOver removes a lock whose owner is gone. It is moved away first: should it
// be another's by then, it is put back.
func (g *guest) takeOver() (gone bool, err error) {
	seen, stale, err := g.stale()
	if errors.Is(err, fs.ErrNotExist) {
		return true, nil
	}
	if err != nil || !stale {
		return false, err
	}
	away := fmt.Sprintf("%s.%d.stale", g.name, os.Getpid())
	if err := g.dir.Rename(g.name, away); err != nil {
		return errors.Is(err, fs.ErrNotExist), ignore(err, fs.ErrNotExist)
	}
	moved, err := g.dir.ReadFile(away)
	if err == nil && !bytes.Equal(moved, seen) {
		d := realDisk()
		err = ignore(d.giveName(g.dir, away, g.name), fs.ErrExist)
	}
	return true, errors.Join(err, ignore(g.dir.Remove(away), fs.ErrNotExist))
}

// stale reports whether the lock that is there binds nobody.
func (g *guest) stale() (text []byte, stale bool, err error) {
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
		return text, time.Since(info.ModTime()) > agentPatience, nil
	}
	return text, !alive(pid), nil
}

// release removes the lock, if it is still ours.
func (g *guest) release() {
	if text, err := g.dir.ReadFile(g.name); err == nil && bytes.Equal(text, g.text) {
		_ = g.dir.Remove(g.name)
	}
}

// ignore answers err unless it is of the kind given.
func ignore(err, kind error) error {
	if errors.Is(err, kind) {
		return nil
	}
	return err
}
