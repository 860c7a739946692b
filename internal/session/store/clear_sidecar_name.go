package store

import (
	"context"
	"errors"

	"sessiontree/internal/session"
)

// clearSidecarName takes away the name that the sidecar has of a session whose file
// holds a newer one now.
func (s *Session) clearSidecarName(ctx context.Context) error {
	s.updateMu.Lock()
	path, kept := s.sidecar.path, s.lib.sidecars != nil && s.sidecar.stamp != (fileStamp{})
	s.updateMu.Unlock()
	if !kept {
		return nil
	}
	all, _, err := s.lib.sidecars.readRecords(path)
	if _, name := effectiveRecords(all); err == nil && name != nil {
		none := ""
		err = s.lib.sidecars.appendRecords(ctx, path, sidecarRecord{Format: s.Format().Name, Session: s.currentHeader().ID, Time: s.lib.now().UnixMilli(), Name: &none})
	}
	if err != nil && !errors.Is(err, ErrUnconfirmed) {
		return newWrittenRefusal("The name is in the file, but the one that was kept outside of it is still shown: %v.", err)
	}
	if _, unread := s.Refresh(ctx); err == nil {
		err = unread
	}
	return err
}

// findEntryAtOffset finds the entry of the session's own file whose line begins at off, NoPos
// when there is none. The caller has the turn.
func (s *Session) findEntryAtOffset(off int64) session.Pos {
	for p := session.Pos(s.tree.Len()) - 1; p >= 0; p-- {
		if span := s.tree.At(p).Span; span.File == 0 && span.Off == off {
			return p
		}
	}
	return session.NoPos
}
