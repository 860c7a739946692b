package store

import (
	"context"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"sessiontree/internal/session"
)

// joined is the members of a session and what they were found by. It is
// replaced, never changed.
type joined struct {
	unit    session.Unit
	members []*member
	dirs    map[string]time.Time // the directories looked at, with their times
	side    map[string]sideFile  // the files beside them that say which files there are, or what of them
	read    time.Time            // when they were looked at
}

// readOthers reads the session's other files beside what was read of the main one.
func (s *Session) readOthers(ctx context.Context, ld *loaded) (err error) {
	s.tied = false
	if err := s.relate(ctx, ld.format); err != nil {
		return err
	}
	if ld.header.Cwd == "" || ld.header.Guessed {
		ld.shared = s.lib.sharedCwd(s.at, ld.format)
		ld.header, _ = ld.reading.header()
	}
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
	read := l.now()
	unit, seen, err := l.gather(at, f, kin)
	if err != nil {
		return nil, nil, nil, err
	}
	j := &joined{unit: unit, dirs: seen.dirs, side: seen.side, read: read}
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

// build makes the tree of what was read.
func (s *Session) build(ld *loaded) *session.Tree {
	if ld.joined == nil || ld.format.Recorded && len(ld.joined.members) == 0 {
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
		unit.Session = ld.header.ID
		return f.Arrange(unit, given)
	}
}

// extent returns how many bytes of all files were looked at: a revision. A last
// line that is not finished counts. The caller has the turn.
func (s *Session) extent() int64 {
	n := s.mark.Size
	if s.joined != nil {
		for _, m := range s.joined.members {
			if m.reading != nil {
				n += m.mark.Size
			}
		}
	}
	return n
}

// stepped sets the revision after the files have grown, or a last line that was not
// finished has gone. The caller has the turn and the lock.
func (s *Session) stepped() {
	n := s.extent()
	if n < s.rev.N {
		s.rev.Epoch, s.steps = s.lib.epochs.next(), nil
	}
	s.rev.N = n
	s.steps.add(s.rev.N, s.tree.Len())
}

// alone makes the tree of the file without those beside it.
func (ld *loaded) alone(at place) *session.Tree {
	if ld.format.Arrange == nil || ld.format.Recorded {
		return session.Join(ld.header, ld.entries, ld.notes)
	}
	unit := session.Unit{Names: []string{filepath.Base(at.rel)}}
	return session.BuildArranged(ld.header, ld.entries, ld.notes, func(given []*session.Entry) session.Arranged {
		return ld.format.Arrange(unit, given)
	})
}
