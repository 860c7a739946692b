package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"sessiontree/internal/session"
)

// member is a file that is shown as part of a session beside its main one. It is
// guarded as the session's own fields are.
type member struct {
	at      place
	file    int32 // its index in Span.File
	reading *reading
	mark    Mark
	gone    error         // why it cannot be read now
	kept    bool          // a file of ours, of what an agent took back
	checks  []check       // guarded by Session.mu, as is what follows
	torn    *session.Note // about the last line, while it is not finished
}

// joined is the members of a session and what they were found by. It is
// replaced, never changed.
type joined struct {
	unit    session.Unit
	members []*member
	dirs    map[string]time.Time // the directories looked at, with their times
}

// gather looks for the files that belong to the session at a place. The first
// name of a unit is the session's own file.
// Those of its kin are among them.
func (l *Library) gather(at place, f *session.Format, kin []string) (session.Unit, map[string]time.Time, error) {
	dir := filepath.Join(at.dir, filepath.Dir(at.rel))
	root, err := os.OpenRoot(dir)
	if err != nil {
		return session.Unit{}, nil, at.failed(err)
	}
	defer root.Close()
	seen := &seenDirs{FS: root.FS(), times: map[string]time.Time{}}
	names := kin
	switch {
	case at.whole:
		names = nil
	case len(names) == 0:
		names = []string{filepath.Base(at.rel)}
	}
	unit, err := f.Gather(seen, names)
	if err != nil {
		return session.Unit{}, nil, at.failed(err)
	}
	return unit, seen.times, nil
}

// seenDirs notes the times of the directories that are read through it.
type seenDirs struct {
	fs.FS
	times map[string]time.Time
}

// ReadDir implements fs.ReadDirFS.
func (s *seenDirs) ReadDir(name string) ([]fs.DirEntry, error) {
	if info, err := fs.Stat(s.FS, name); err == nil {
		s.times[name] = info.ModTime()
	}
	return fs.ReadDir(s.FS, name)
}

// stale reports whether one of the directories changed since they were read.
func (j *joined) stale(at place) bool {
	if j.dirs == nil {
		return true
	}
	dir := filepath.Join(at.dir, filepath.Dir(at.rel))
	for name, t := range j.dirs {
		info, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil || !info.ModTime().Equal(t) {
			return true
		}
	}
	return false
}

// readOthers reads the session's other files beside what was read of the main one.
func (s *Session) readOthers(ctx context.Context, ld *loaded) (err error) {
	ld.joined, ld.others, ld.otherNotes, err = s.lib.join(ctx, s.at, ld.format, s.kin)
	if err == nil {
		err = s.readRewound(ctx, ld)
	}
	return err
}

// join reads all members of a session anew. One that cannot be read is left out
// with a note.
func (l *Library) join(ctx context.Context, at place, f *session.Format, kin []string) (*joined, [][]session.Entry, []session.Note, error) {
	if f.Gather == nil {
		return nil, nil, nil, nil
	}
	unit, dirs, err := l.gather(at, f, kin)
	if err != nil {
		return nil, nil, nil, err
	}
	j := &joined{unit: unit, dirs: dirs}
	names := slices.DeleteFunc(slices.Clone(unit.Names), func(name string) bool { return name == filepath.Base(at.rel) })
	j.unit.Names = append([]string{filepath.Base(at.rel)}, names...)
	entries, notes, err := j.add(ctx, l, at, f, names)
	return j, entries, notes, err
}

// add reads members that are not there yet, as many at a time as there are cores.
func (j *joined) add(ctx context.Context, l *Library, at place, f *session.Format, names []string) (entries [][]session.Entry, notes []session.Note, err error) {
	type part struct {
		entries [][]session.Entry
		notes   []session.Note
	}
	parts, members := make([]part, len(names)), make([]*member, len(names))
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, name := range names {
		m := &member{at: beside(at, name), file: int32(len(j.members) + i + 1)}
		members[i] = m
		g.Go(func() (err error) {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			p := &parts[i]
			if p.entries, p.notes, err = m.read(ctx, l, f); err != nil && ctx.Err() == nil {
				p.notes = append(p.notes, session.Note{Code: session.NoteBadFile, File: int(m.file), Text: "This file cannot be read: " + err.Error()})
				m.gone = err
			}
			return ctx.Err()
		})
	}
	if err := g.Wait(); err != nil {
		return nil, nil, err
	}
	j.members = append(j.members, members...)
	for i := range parts {
		entries, notes = append(entries, parts[i].entries...), append(notes, parts[i].notes...)
	}
	return entries, notes, nil
}

// beside is the place of another file, by its name with slashes in the directory
// of the one at a place.
func beside(at place, name string) place {
	rel := filepath.Join(filepath.Dir(at.rel), filepath.FromSlash(name))
	return place{root: at.root, dir: at.dir, rel: rel, path: filepath.Join(at.dir, rel)}
}

// read reads the whole file. An empty one has no lines yet.
func (m *member) read(ctx context.Context, l *Library, format *session.Format) ([][]session.Entry, []session.Note, error) {
	f, info, err := m.at.open()
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	m.reading = l.newReading(format, m.at.path)
	if err := m.reading.part(ctx, f, info.Size()); err != nil {
		return nil, nil, m.at.failed(err)
	}
	m.mark = newMark(m.reading, info)
	m.gone, m.checks, m.torn = nil, m.reading.checks, m.unfinished()
	e, n := m.take()
	return e, n, nil
}

// take answers what the last part gave as lines of this file.
func (m *member) take() ([][]session.Entry, []session.Note) {
	r := m.reading
	entries, notes := r.entries, r.notes
	for _, part := range entries {
		for i := range part {
			part[i].Span.File = m.file
		}
	}
	for i := range notes {
		notes[i].File = int(m.file)
	}
	r.forget()
	return entries, notes
}

// unfinished is the note about the last line after a part was read.
func (m *member) unfinished() *session.Note {
	switch r := m.reading; {
	case r.torn != nil:
		torn := *r.torn
		torn.File = int(m.file)
		return &torn
	case r.open:
		return m.torn // nothing was added to the line
	}
	return nil
}

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

// build makes the tree of what was read.
func (s *Session) build(ld *loaded) *session.Tree {
	if ld.joined == nil {
		return session.Join(ld.header, ld.entries, ld.notes)
	}
	return session.BuildArranged(ld.header, append(slices.Clip(ld.entries), ld.others...), append(slices.Clip(ld.notes), ld.otherNotes...), s.arrange(ld))
}

// arrange is the format's Arrange with what is known of the files: at first of
// those just read, later of the session's. It is called by whoever has the turn.
func (s *Session) arrange(ld *loaded) func([]*session.Entry) session.Arranged {
	f, first := ld.format, ld.joined.unit
	return func(given []*session.Entry) session.Arranged {
		unit := first
		if first.Names = nil; unit.Names == nil {
			unit = s.joined.unit
		}
		return f.Arrange(unit, given)
	}
}

// Holding lists the open sessions that a file belongs to: the one it is the main
// file of, and those that it lies beside as an agent's or as their kin's. A file
// that was just made belongs to those that look for files in its directory.
func (l *Library) Holding(path string) []*Session {
	at, err := l.locate(path)
	if err != nil {
		return nil
	}
	var all []*Session
	if s, ok := l.recent.get(at.path); ok {
		all = append(all, s)
	}
	for _, s := range l.recent.all() {
		if s.at.path != at.path && s.beside(at.path) {
			all = append(all, s)
		}
	}
	return all
}

// beside reports whether a file lies where the session looks for its other files.
func (s *Session) beside(path string) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.joined == nil {
		return false
	}
	base := filepath.Dir(s.at.path)
	rel, ok := within(base, filepath.Dir(path))
	if !ok {
		return false
	}
	_, looked := s.joined.dirs[filepath.ToSlash(rel)]
	return looked
}

// Whole reports whether the session is all sessions of a directory.
func (s *Session) Whole() bool { return s.at.whole }

// Files lists the paths of the session's files by Span.File, the main one first.
func (s *Session) Files() []string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	files := []string{s.at.path}
	if s.joined != nil {
		for _, m := range s.joined.members {
			files = append(files, m.at.path)
		}
	}
	return files
}

// OpenDir answers all sessions of a directory as one, for formats whose sessions
// go on in one another. It is not followed. session.ErrNoSession when the
// directory holds no such session.
func (l *Library) OpenDir(ctx context.Context, dir string) (*Session, error) {
	at, err := l.locate(dir)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(at.path)
	if err != nil {
		return nil, at.failed(err)
	}
	defer root.Close()
	for _, f := range l.formats {
		if f.Gather == nil {
			continue
		}
		unit, err := f.Gather(root.FS(), nil)
		if err != nil {
			return nil, at.failed(err)
		}
		for _, name := range unit.Names {
			first := beside(place{root: at.root, dir: at.path, rel: name}, filepath.Base(name))
			first.whole = true
			s := &Session{lib: l, at: first}
			if err := s.reload(ctx); err == nil && s.Format() == f {
				return s, nil
			} else if err != nil && !errors.Is(err, session.ErrNoSession) {
				return nil, err
			}
		}
	}
	return nil, fmt.Errorf("%s: %w: no sessions that hang together lie in this directory", dir, session.ErrNoSession)
}

// extent is how many bytes of all files were accepted: a revision. The caller
// has the turn.
func (s *Session) extent() int64 {
	n := s.reading.off
	if s.joined != nil {
		for _, m := range s.joined.members {
			if m.reading != nil {
				n += m.reading.off
			}
		}
	}
	return n
}

// stepped sets the revision after the tree has grown. The caller has the turn and
// the lock.
func (s *Session) stepped() {
	s.rev.N = s.extent()
	if s.joined != nil {
		s.steps.add(s.rev.N, s.tree.Len())
	}
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

// alone makes the tree of the file without those beside it.
func (ld *loaded) alone(at place) *session.Tree {
	if ld.format.Arrange == nil {
		return session.Join(ld.header, ld.entries, ld.notes)
	}
	unit := session.Unit{Names: []string{filepath.Base(at.rel)}}
	return session.BuildArranged(ld.header, ld.entries, ld.notes, func(given []*session.Entry) session.Arranged {
		return ld.format.Arrange(unit, given)
	})
}
