package store

import (
	"context"
	"errors"

	"sessiontree/internal/session"
	"sessiontree/internal/session/safefile"
	"sessiontree/internal/session/sidecar"
)

// clearSidecarName clears the session name in the sidecar after a new name was written
// to the file.
func (s *Session) clearSidecarName(ctx context.Context) error {
	u := s.beginUpdate()
	path, exists := s.sidecar.Path(), s.sidecar.Exists()
	u.End()
	if !exists {
		return nil
	}
	all, _, err := s.lib.sidecars.ReadRecords(path)
	if _, name := sidecar.EffectiveRecords(all); err == nil && name != nil {
		none := ""
		err = s.lib.sidecars.AppendRecords(ctx, path, sidecar.Record{Format: s.Format().Name, Session: s.currentHeader().ID, Time: s.lib.now().UnixMilli(), Name: &none})
	}
	if err != nil && !errors.Is(err, safefile.ErrUnconfirmed) {
		return newWrittenRefusal("The name is in the file, but the one stored outside it is still shown: %v.", err)
	}
	if _, unread := s.Refresh(ctx); err == nil {
		err = unread
	}
	return err
}

// findEntryAtOffset returns the entry of the session's own file whose line starts at
// off, NoPos if there is none.
func (u update) findEntryAtOffset(off int64) session.Pos {
	for p := session.Pos(u.s.tree.Len()) - 1; p >= 0; p-- {
		if span := u.s.tree.At(p).Span; span.File == 0 && span.Off == off {
			return p
		}
	}
	return session.NoPos
}
