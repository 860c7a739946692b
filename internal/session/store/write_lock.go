package store

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"sessiontree/internal/session"
	"sessiontree/internal/session/roots"
	"sessiontree/internal/session/safefile"
)

// writeLock is the exclusive right to write to a session file: the lock of all
// explorers on the file itself, and the lock file of the agent's writers.
type writeLock struct {
	dir       *os.Root
	file      *os.File // opened for appending
	info      fs.FileInfo
	agentLock *safefile.LockFile // nil if the agent uses no lock file
}

// errFileReplaced says that the path leads to another file than the opened one.
var errFileReplaced = errors.New("the file was replaced")

// acquireWriteLock locks the session's file for writing.
func acquireWriteLock(ctx context.Context, s *Session) (*writeLock, error) {
	for try := 1; ; try++ {
		h, err := tryWriteLock(ctx, s)
		if err == nil || !errors.Is(err, errFileReplaced) {
			return h, err
		}
		if try == maxTries {
			return nil, newRefusal(session.ErrConflict, "%s is being replaced again and again.", s.at.Path)
		}
	}
}

func tryWriteLock(ctx context.Context, s *Session) (_ *writeLock, err error) {
	h := &writeLock{}
	defer func() {
		if err != nil {
			h.releaseWriteLock()
		}
	}()
	if s.at.IsDeleted() {
		return nil, newRefusal(session.ErrReadOnly, "%s", deletedFileText)
	}
	if h.dir, err = os.OpenRoot(s.at.Dir); err != nil {
		return nil, s.at.PathError(err)
	}
	if err := h.openForAppend(s); err != nil {
		return nil, err
	}
	s.lib.testHook("opened")
	if err := safefile.AcquireLock(ctx, h.file); err != nil {
		return nil, refusalOf(err)
	}
	if err := h.checkReplaced(s.at); err != nil {
		return nil, err
	}
	return h, h.respectAgentLocks(ctx, s)
}

// checkReplaced returns errFileReplaced if the path leads to another file than the locked one.
func (h *writeLock) checkReplaced(at roots.Place) error {
	now, err := h.dir.Stat(at.Rel)
	switch {
	case err != nil:
		return at.PathError(err)
	case !os.SameFile(now, h.info):
		return errFileReplaced
	}
	return nil
}

// openForAppend opens the file for appending.
func (h *writeLock) openForAppend(s *Session) error {
	info, err := h.dir.Stat(s.at.Rel)
	if err != nil {
		return s.at.PathError(err)
	}
	if !info.Mode().IsRegular() {
		return newRefusal(session.ErrReadOnly, "%s is not a regular file.", s.at.Path)
	}
	if why := s.appendRefusedReason(info); why != "" {
		return newRefusal(session.ErrReadOnly, "%s", why)
	}
	if h.file, err = h.dir.OpenFile(s.at.Rel, os.O_RDWR|os.O_APPEND|safefile.Nonblocking, 0); err != nil {
		h.file = nil
		return writeDeniedError(s.at, "the file", err)
	}
	if h.info, err = h.file.Stat(); err == nil && !h.info.Mode().IsRegular() {
		err = errFileReplaced
	}
	return err
}

// respectAgentLocks acquires the lock file of the agent, and returns an error if the
// agent has the file open.
func (h *writeLock) respectAgentLocks(ctx context.Context, s *Session) (err error) {
	f := s.Format()
	if f.Write == nil {
		return nil
	}
	if f.Write.KeepsFileOpen {
		if pid, known := s.lib.disk.FindWriter(s.at.Path, h.info); known && pid != 0 {
			return newRefusal(session.ErrConflict, "%s", openInAgentText(f, pid))
		}
	}
	if f.Write.LockFileName == nil {
		return nil
	}
	base := f.Write.LockFileName(filepath.Base(s.at.Rel))
	h.agentLock, err = safefile.AcquireLockFile(ctx, h.dir, filepath.Join(filepath.Dir(s.at.Rel), base), s.at.Path)
	if err == safefile.ErrLocked {
		return newRefusal(session.ErrConflict, "The agent is writing to this session: it holds the lock %s.", base)
	}
	return refusalOf(err)
}

func (h *writeLock) releaseWriteLock() {
	if h.agentLock != nil {
		h.agentLock.Release()
	}
	if h.file != nil {
		h.file.Close() // ends the lock too
	}
	if h.dir != nil {
		h.dir.Close()
	}
}

// currentFileSize returns the size of the file.
func (h *writeLock) currentFileSize() (int64, error) {
	info, err := h.file.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}
