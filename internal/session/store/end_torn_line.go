package store

import (
	"context"
	"fmt"

	"sessiontree/internal/session"
	"sessiontree/internal/session/safefile"
	"sessiontree/internal/session/scan"
)

// EndTornLine appends the newline that the last line lacks, so that other lines can
// follow. It refuses while the line may still be written, and does nothing if the file
// ends with a newline.
func (s *Session) EndTornLine(ctx context.Context) error {
	s.writeMu.Lock()
	defer s.writeMu.Unlock()
	if can := s.Capabilities(); s.currentHeader().IsNewerVersion {
		return newRefusal(session.ErrConflict, "%s", can.Branch.Reason)
	}
	h, err := acquireWriteLock(ctx, s)
	if err != nil {
		return err
	}
	err = h.appendLineEnd(s)
	h.releaseWriteLock()
	if err != nil {
		return err
	}
	_, err = s.Refresh(context.WithoutCancel(ctx))
	return err
}

// appendLineEnd appends the newline that the last line of the session s lacks.
func (h *writeLock) appendLineEnd(s *Session) error {
	info, err := h.file.Stat()
	if err != nil {
		return s.at.PathError(err)
	}
	whole, err := safefile.EndsWithNewline(h.file, info.Size())
	if err != nil || whole {
		return err
	}
	if !session.IsTornByCrash(info.ModTime().UnixMilli(), s.lib.now().UnixMilli()) {
		return newRefusal(session.ErrConflict, "The last line was written a moment ago: its agent may still be writing it.")
	}
	s.lib.own.begin(s.at.Path, s.lib.own.agentWrote(s.at.Path, info.Size(), info.ModTime().UnixNano()))
	var after *scan.Checkpoint
	defer func() { s.lib.own.end(s.at.Path, after) }()
	if _, err := safefile.AppendOnce(h.file, []byte("\n"), info.Size()); err != nil {
		return fmt.Errorf("%s: %w", s.at.Path, err)
	}
	if now, err := h.file.Stat(); err == nil && now.Size() == info.Size()+1 {
		after = &scan.Checkpoint{Size: now.Size(), Mtime: now.ModTime().UnixNano()}
	}
	if err := h.file.Sync(); err != nil {
		return safefile.NewUnconfirmedError(s.at.Path, "the line was ended", err)
	}
	return nil
}
