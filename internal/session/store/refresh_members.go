package store

import (
	"context"
	"errors"
	"io/fs"
	"reflect"
	"slices"
	"time"

	"sessiontree/internal/session"
)

// refreshMembers takes in what is new in the other files of the session, and new
// files. again asks to read everything anew.
func (s *Session) refreshMembers(ctx context.Context) (entries [][]session.Entry, notes []session.Note, again bool, err error) {
	for _, m := range s.joined.members {
		e, n, replaced, err := s.refreshMember(ctx, m)
		if err != nil || replaced {
			return nil, nil, replaced, err
		}
		entries, notes = append(entries, e...), append(notes, n...)
	}
	if !s.joined.stale(s.at) {
		return entries, notes, false, nil
	}
	unit, dirs, err := s.lib.gather(s.at, s.Format(), s.kin)
	if err != nil {
		return entries, notes, false, nil // the directory is gone with its files
	}
	old := s.joined
	fresh := slices.DeleteFunc(slices.Clone(unit.Names), func(name string) bool { return slices.Contains(old.unit.Names, name) })
	j := &joined{dirs: dirs, members: slices.Clip(old.members)}
	j.unit = session.Unit{Names: append(slices.Clip(old.unit.Names), fresh...), Whole: old.unit.Whole, Extra: unit.Extra, Rewound: old.unit.Rewound}
	s.relinked = !reflect.DeepEqual(unit.Extra, old.unit.Extra)
	e, n, err := j.add(ctx, s.lib, s.at, s.Format(), fresh)
	if err != nil {
		return nil, nil, false, err
	}
	s.mu.Lock()
	s.joined = j
	s.mu.Unlock()
	if len(fresh) > 0 {
		s.aside.dir = time.Time{} // what is kept of their sessions is to be looked up
	}
	return append(entries, e...), append(notes, n...), false, nil
}

func (s *Session) refreshMember(ctx context.Context, m *member) (e [][]session.Entry, n []session.Note, again bool, err error) {
	if m.gone == nil && m.reading != nil && m.mark.still(m.at.path) {
		return nil, nil, false, nil
	}
	f, info, err := m.at.open()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		m.gone = err // what was read of it stays readable as far as it was
		return nil, nil, false, nil
	case err != nil:
		return nil, nil, false, nil
	}
	defer f.Close()
	if m.gone != nil || m.reading == nil {
		return nil, nil, true, nil
	}
	v, err := m.mark.compare(f, info)
	switch {
	case err != nil:
		return nil, nil, false, nil
	case v == replaced, v == slotted:
		return nil, nil, true, nil
	case v != grown:
		m.mark.moved(info)
		return nil, nil, false, nil
	}
	if m.mark.Open && !endsAt(f, m.mark.Off) {
		return nil, nil, true, nil
	}
	if err := m.reading.part(ctx, f, info.Size()); err != nil {
		return nil, nil, ctx.Err() == nil, ctx.Err()
	}
	m.mark = newMark(m.reading, info)
	checks, torn := m.reading.checks, m.unfinished()
	e, n = m.take()
	s.mu.Lock()
	s.retold = s.retold || (torn == nil) != (m.torn == nil)
	m.checks, m.torn = append(m.checks, checks...), torn
	s.mu.Unlock()
	return e, n, false, nil
}

// refreshOthers takes the session's other files in, after c was found of the main
// one.
func (s *Session) refreshOthers(ctx context.Context, c Change) (Change, error) {
	entries, notes, again, err := s.refreshMembers(ctx)
	if err != nil {
		s.distrust = true
		return c, err
	}
	if again {
		f, info, err := s.at.open()
		if err != nil {
			return s.lose(err), nil
		}
		defer f.Close()
		return s.again(ctx, f, info)
	}
	if len(entries) == 0 && len(notes) == 0 && !s.retold && !s.relinked {
		return c, nil
	}
	h, _ := s.reading.header()
	kind := max(c.Kind, Appended)
	s.mu.Lock()
	before := s.tree.Len()
	again = s.tree.Extend(h, entries, notes)
	if s.relinked { // what lies beside the files says otherwise where agents hang
		again = s.tree.Rearrange() || again
	}
	if again {
		kind = Rewritten
		s.rev.Epoch = s.lib.epochs.next()
	}
	s.retold, s.relinked = false, false
	s.stepped()
	came, begins := s.tree.Came(session.Pos(before))
	s.mu.Unlock()
	full := s.change(kind)
	full.Entries, full.Labels = c.Entries+came, c.Labels || kind == Rewritten || begins
	return full, nil
}
