package store

import (
	"context"
	"fmt"

	"sessiontree/internal/session"
)

// EndTornLine ends a last line that its writer left unfinished: then others can be
// written after it. It is refused while the line may still be written, and does
// nothing when the file ends as it should.
func (s *Session) EndTornLine(ctx context.Context) error {
	s.writeMu.Lock()
	defer s.writeMu.Unlock()
	if can := s.Capabilities(); s.currentHeader().IsNewerVersion {
		return newRefusal(session.ErrConflict, "%s", can.Branch.Reason)
	}
	h, err := s.acquireWriteLock(ctx)
	if err != nil {
		return err
	}
	err = s.appendLineEnd(h)
	h.releaseWriteLock()
	if err != nil {
		return err
	}
	_, err = s.Refresh(context.WithoutCancel(ctx))
	return err
}

func (s *Session) appendLineEnd(h *writeLock) error {
	info, err := h.file.Stat()
	if err != nil {
		return s.at.pathError(err)
	}
	whole, err := endsWithNewline(h.file, info.Size())
	if err != nil || whole {
		return err
	}
	if s.lib.now().Sub(info.ModTime()) < tornLineTimeout {
		return newRefusal(session.ErrConflict, "The last line was written to a moment ago: its agent may still be at it.")
	}
	if _, err := appendOnce(h.file, newline, info.Size()); err != nil {
		return fmt.Errorf("%s: %w", s.at.path, err)
	}
	if err := h.file.Sync(); err != nil {
		return unconfirmedError(s.at.path, "the line was ended", err)
	}
	return nil
}
