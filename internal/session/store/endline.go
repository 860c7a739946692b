package store

import (
	"context"

	"sessiontree/internal/session"
)

// EndLine ends a last line that its writer left unfinished: then others can be
// written after it. It is refused while the line may still be written, and does
// nothing when the file ends as it should.
func (s *Session) EndLine(ctx context.Context) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	if can := s.Abilities(); s.header().Newer {
		return refuse(session.ErrConflict, "%s", can.Branch.Reason)
	}
	h, err := s.hold(ctx)
	if err != nil {
		return err
	}
	err = s.endLine(h)
	h.release()
	if err != nil {
		return err
	}
	_, err = s.Refresh(context.WithoutCancel(ctx))
	return err
}

func (s *Session) endLine(h *hold) error {
	info, err := h.file.Stat()
	if err != nil {
		return s.at.failed(err)
	}
	whole, err := ended(h.file, info.Size())
	if err != nil || whole {
		return err
	}
	if s.lib.now().Sub(info.ModTime()) < crashed {
		return refuse(session.ErrConflict, "The last line was written to a moment ago: its agent may still be at it.")
	}
	if _, err := appendOnce(h.file, newline, info.Size()); err != nil {
		return s.at.failed(err)
	}
	return h.file.Sync()
}
