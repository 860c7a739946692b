package store

import (
	"context"

	"sessiontree/internal/session"
)

// forgetAsideName takes away the name that the sidecar has of a session whose file
// holds a newer one now.
func (s *Session) forgetAsideName(ctx context.Context) error {
	s.turn.Lock()
	path, kept := s.aside.path, s.lib.asides != nil && s.aside.stamp != (stamp{})
	s.turn.Unlock()
	if !kept {
		return nil
	}
	all, _, err := s.lib.asides.read(path)
	if _, name := inForce(all); err == nil && name != nil {
		none := ""
		err = s.lib.asides.add(ctx, path, asideRecord{Format: s.Format().Name, Session: s.header().ID, Time: s.lib.now().UnixMilli(), Name: &none})
	}
	if err != nil {
		return tooLate("The name is in the file, but the one that was kept outside of it is still shown: %v.", err)
	}
	_, err = s.Refresh(ctx)
	return err
}

// recordedAt finds the entry of the session's own file whose line begins at off, NoPos
// when there is none. The caller has the turn.
func (s *Session) recordedAt(off int64) session.Pos {
	for p := session.Pos(s.tree.Len()) - 1; p >= 0; p-- {
		if span := s.tree.At(p).Span; span.File == 0 && span.Off == off {
			return p
		}
	}
	return session.NoPos
}
