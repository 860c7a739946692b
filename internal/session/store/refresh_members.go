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

// found is what is new in a session's other files.
type found struct {
	entries [][]session.Entry
	notes   []session.Note
	again   bool // everything must be read anew
}

func (f *found) add(entries [][]session.Entry, notes []session.Note) {
	f.entries, f.notes = append(f.entries, entries...), append(f.notes, notes...)
}

// refreshMembers takes in what is new in the other files of the session, or in the
// one at a path.
func (s *Session) refreshMembers(ctx context.Context, path string) (f found, err error) {
	for _, m := range s.joined.members {
		if path != "" && path != m.at.path {
			continue
		}
		e, n, replaced, err := s.refreshMember(ctx, m)
		if err != nil || replaced {
			return found{again: replaced}, err
		}
		f.add(e, n)
	}
	return f, nil
}

// gatherFresh takes in the files that belong to the session by now and were not
// there when its directories were looked at.
func (s *Session) gatherFresh(ctx context.Context, f *found) error {
	if !s.joined.stale(s.at) {
		return nil
	}
	if s.joined.dirs != nil { // else they were just found
		if err := s.relate(ctx, s.Format()); err != nil {
			return err
		}
	}
	read := s.lib.now()
	unit, seen, err := s.lib.gather(s.at, s.Format(), s.kin)
	if err != nil {
		return nil // the directory is gone with its files
	}
	old := s.joined
	fresh, lost := old.compareNames(unit.Names)
	if lost || s.Format().Recorded && len(old.members) == 0 && len(fresh) > 0 { // from now on it is arranged
		f.again = true
		return nil
	}
	j := &joined{dirs: seen.dirs, side: seen.side, read: read, members: slices.Clip(old.members)}
	j.unit = session.Unit{Names: append(slices.Clip(old.unit.Names), fresh...), Whole: old.unit.Whole, Extra: unit.Extra, Side: unit.Side,
		Unsettled: unit.Unsettled, Rewound: old.unit.Rewound}
	s.relinked = s.relinked || !reflect.DeepEqual(unit.Extra, old.unit.Extra)
	e, n, err := j.add(ctx, s.lib, s.at, s.Format(), fresh)
	if err != nil {
		return err
	}
	s.noteTies(e)
	s.mu.Lock()
	s.joined = j
	s.mu.Unlock()
	if len(fresh) > 0 {
		s.aside.dir = time.Time{} // what is kept of their sessions is to be looked up
	}
	f.add(e, n)
	return nil
}

// compareNames returns which of names are new. lost reports whether a member that is
// still there is not among them: it belongs to another session after all.
func (j *joined) compareNames(names []string) (fresh []string, lost bool) {
	now, before := map[string]bool{}, map[string]bool{}
	for _, name := range names {
		now[name] = true
	}
	for i, name := range j.unit.Names {
		before[name] = true
		if i > 0 && !now[name] && !j.members[i-1].kept && j.members[i-1].gone == nil {
			lost = true
		}
	}
	for _, name := range names {
		if !before[name] {
			fresh = append(fresh, name)
		}
	}
	return fresh, lost
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
	s.noteTies(e)
	s.mu.Lock()
	s.retold = s.retold || (torn == nil) != (m.torn == nil)
	m.checks, m.torn = append(m.checks, checks...), torn
	s.mu.Unlock()
	return e, n, false, nil
}

// refreshOthers takes the session's other files in, or the one at a path, after c
// was found of the main one.
func (s *Session) refreshOthers(ctx context.Context, c Change, path string) (Change, error) {
	f, err := s.refreshMembers(ctx, path)
	if err == nil && !f.again && (path == "" || s.joined.unit.Unsettled || !slices.Contains(s.files(), path)) {
		err = s.gatherFresh(ctx, &f)
		s.tied = s.tied || err == nil && path != "" && s.tiedBy(ctx, path)
	}
	if err != nil {
		s.distrust = true
		return c, err
	}
	if f.again {
		file, info, err := s.at.open()
		if err != nil {
			return s.lose(err), nil
		}
		defer file.Close()
		return s.again(ctx, file, info)
	}
	c = s.extend(f, c)
	if !s.tied {
		return c, nil
	}
	s.tied = false
	return s.rejoin(ctx, c)
}

// extend adds what was found to the tree.
func (s *Session) extend(f found, c Change) Change {
	if len(f.entries) == 0 && len(f.notes) == 0 && !s.retold && !s.relinked {
		s.mu.Lock()
		s.stepped()
		s.mu.Unlock()
		return c
	}
	h, _ := s.reading.header()
	kind := max(c.Kind, Appended)
	s.mu.Lock()
	before := s.tree.Len()
	rebuilt := s.tree.Extend(h, f.entries, f.notes)
	if s.relinked { // what lies beside the files says otherwise where agents hang
		rebuilt = s.tree.Rearrange() || rebuilt
	}
	if rebuilt {
		kind = Rewritten
		s.rev.Epoch = s.lib.epochs.next()
	}
	s.retold, s.relinked = false, false
	s.stepped()
	came, begins := s.tree.Came(session.Pos(before))
	s.mu.Unlock()
	full := s.change(kind)
	full.Entries, full.Labels = c.Entries+came, c.Labels || kind == Rewritten || begins
	return full
}

// files lists the paths of the session's files. The caller has the turn.
func (s *Session) files() []string {
	files := []string{s.at.path}
	for _, m := range s.joined.members {
		files = append(files, m.at.path)
	}
	return files
}
