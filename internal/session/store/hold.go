package store

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"sessiontree/internal/session"
)

// hold is the right to write to a session file: the lock of all explorers on the
// file's own descriptor, and the lock that its agent's writers take.
type hold struct {
	dir   *os.Root
	file  *os.File // appends
	info  fs.FileInfo
	guest *guest // nil when the agent takes no lock
}

// errMoved says that another file stands at the path than the one that was
// opened.
var errMoved = errors.New("the file was replaced")

// hold locks the session's file for writing.
func (s *Session) hold(ctx context.Context) (*hold, error) {
	for try := 1; ; try++ {
		h, err := s.tryHold(ctx)
		if err == nil || !errors.Is(err, errMoved) {
			return h, err
		}
		if try == tries {
			return nil, refuse(session.ErrConflict, "%s is being replaced again and again.", s.at.path)
		}
	}
}

func (s *Session) tryHold(ctx context.Context) (_ *hold, err error) {
	h := &hold{}
	defer func() {
		if err != nil {
			h.release()
		}
	}()
	if h.dir, err = os.OpenRoot(s.at.dir); err != nil {
		return nil, s.at.failed(err)
	}
	if err := s.openHeld(h); err != nil {
		return nil, err
	}
	s.lib.pause("opened")
	if err := flock(ctx, h.file); err != nil {
		return nil, err
	}
	now, err := h.dir.Stat(s.at.rel)
	if err != nil {
		return nil, s.at.failed(err)
	}
	if !os.SameFile(now, h.info) {
		return nil, errMoved
	}
	return h, s.guests(ctx, h)
}

// openHeld opens the file itself for appending.
func (s *Session) openHeld(h *hold) error {
	info, err := h.dir.Stat(s.at.rel)
	if err != nil {
		return s.at.failed(err)
	}
	if !info.Mode().IsRegular() {
		return refuse(session.ErrReadOnly, "%s is no regular file.", s.at.path)
	}
	if why := s.sealed(info); why != "" {
		return refuse(session.ErrReadOnly, "%s", why)
	}
	if h.file, err = h.dir.OpenFile(s.at.rel, os.O_RDWR|os.O_APPEND|nonblocking, 0); err != nil {
		h.file = nil
		return s.at.denied("the file", err)
	}
	if h.info, err = h.file.Stat(); err == nil && !h.info.Mode().IsRegular() {
		err = errMoved
	}
	return err
}

// guests respects the agent's own writers.
func (s *Session) guests(ctx context.Context, h *hold) (err error) {
	f := s.Format()
	if f.Holds {
		if pid, known := holder(s.at.path, h.info); known && pid != 0 {
			return refuse(session.ErrConflict, "%s", heldBy(f, pid))
		}
	}
	if f.LockFile != nil {
		h.guest, err = takeGuest(ctx, s.at, h.dir, f.LockFile(filepath.Base(s.at.rel)))
	}
	return err
}

func (h *hold) release() {
	if h.guest != nil {
		h.guest.release()
	}
	if h.file != nil {
		h.file.Close() // ends the lock too
	}
	if h.dir != nil {
		h.dir.Close()
	}
}

// size answers how long the file is now.
func (h *hold) size() (int64, error) {
	info, err := h.file.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}
