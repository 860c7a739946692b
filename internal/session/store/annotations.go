package store

import (
	"context"
	"errors"
	"fmt"

	"sessiontree/internal/session"
	"sessiontree/internal/session/safefile"
	"sessiontree/internal/session/sidecar"
)

// refreshAnnotations applies annotations that any process has written to the sidecars
// since the last call. c is the change found in the files; if displayed labels change
// it becomes Rewritten, so that viewers do not keep outdated rows.
func (u update) refreshAnnotations(c Change) Change {
	if !u.s.sidecar.IsStale(u.s.tree, u.s.fileSet != nil) {
		return c
	}
	annotations, state, notes := u.s.lib.sidecars.LoadAnnotations(u.s.tree, u.s.Format(), u.s.at)
	unread := u.s.sidecar.IsUnread() && state.IsUnread()
	u.s.sidecar = state
	if unread {
		return c // nothing more is known than before
	}
	u.s.mu.Lock()
	u.s.tree.ApplyAnnotations(annotations)
	u.s.rev.Epoch = u.s.lib.epochs.nextEpoch()
	u.s.mu.Unlock()
	u.updateMeta(func(k *sessionMeta) { k.sidecarNotes = notes })
	full := u.s.newChange(Rewritten)
	full.Entries, full.Labels, full.Annotations = c.Entries, true, true
	return full
}

// applyInSidecar writes a label or a name to the sidecar.
func (s *Session) applyInSidecar(ctx context.Context, c session.Change, seen Precondition) (Written, error) {
	u := s.beginUpdate()
	rec, err := sidecar.NewRecord(s.tree, s.Format(), s.at.Path, u.lineReader(nil), c, s.lib.now().UnixMilli())
	path := s.lib.sidecars.Path(rec.Format, rec.Session, s.at.Path)
	if err == nil {
		err = u.checkPrecondition(c, seen)
	}
	leaf := u.leafID()
	u.End()
	if err != nil {
		return Written{}, err
	}
	err = s.lib.sidecars.Write(ctx, s.at.Path, rec)
	if err != nil && !errors.Is(err, safefile.ErrUnconfirmed) {
		return Written{}, refusalOf(err)
	}
	if _, unread := s.Refresh(context.WithoutCancel(ctx)); unread != nil && err == nil {
		err = safefile.NewUnconfirmedError(path, "the change was written", unread)
	}
	return Written{File: path, Leaf: leaf, InSidecar: s.lib.hub == nil}, err
}

// findLabelTarget returns the entry that a label change is about, NoPos for other
// changes.
func (u update) findLabelTarget(c session.Change) (session.Pos, error) {
	if c.Op != session.OpLabel {
		return session.NoPos, nil
	}
	p := u.s.tree.FindID(c.Entry)
	if p == session.NoPos {
		return p, fmt.Errorf("%s: entry %s: %w", u.s.at.Path, c.Entry, session.ErrNotFound)
	}
	return p, nil
}

// AddAnnotations writes labels and a name of a session to its sidecar.
func (l *Library) AddAnnotations(ctx context.Context, f *session.Format, id string, a session.Annotations) error {
	if l.sidecars == nil {
		return newRefusal(session.ErrInvalid, "There is no state directory to store labels in.")
	}
	records := sidecar.NewRecords(f.Name, id, a, l.now().UnixMilli())
	if len(records) == 0 {
		return nil
	}
	return refusalOf(l.sidecars.AppendRecords(ctx, l.sidecars.Path(f.Name, id, ""), records...))
}

// Sidecars returns the sidecars of all sessions, nil without a state directory.
func (l *Library) Sidecars() *sidecar.Store { return l.sidecars }

// clearSidecarName clears the session name in the sidecar after a new name was written to the file.
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
