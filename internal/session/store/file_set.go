package store

import (
	"context"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"sessiontree/internal/session"
	"sessiontree/internal/session/roots"
)

// fileSet is the files that are shown as one session, and the state of the directories
// they were found in. It is replaced, never changed.
type fileSet struct {
	group     session.FileGroup
	members   []*member
	dirs      map[string]time.Time     // the directories that were read, with their times
	sideFiles map[string]sideFileState // other files on which the set depends
	readAt    time.Time                // when the directories were read
}

// readOtherFiles reads the session's other files after the main one.
func (s *Session) readOtherFiles(ctx context.Context, ld *loadedFile) (err error) {
	s.relatedChanged = false
	if err := s.updateRelated(ctx, ld.format); err != nil {
		return err
	}
	if ld.header.Cwd == "" || ld.header.CwdGuessed {
		ld.sharedCwd = s.lib.inferCwd(s.at, ld.format)
		ld.header, _ = ld.fileReader.completedHeader()
	}
	ld.fileSet, ld.others, ld.otherNotes, err = s.lib.readMembers(ctx, s.at, ld.format, s.memberNames())
	if err == nil {
		err = s.readRetracted(ctx, ld)
	}
	return err
}

// readMembers reads all member files of a session. A file that cannot be read is left
// out with a note.
func (l *Library) readMembers(ctx context.Context, at roots.Place, f *session.Format, sessions []string) (*fileSet, [][]session.Entry, []session.Note, error) {
	if f.Graph == nil {
		return nil, nil, nil, nil
	}
	read := l.now()
	unit, seen, err := l.gatherGroup(at, f, sessions)
	if err != nil {
		return nil, nil, nil, err
	}
	j := &fileSet{group: unit, dirs: seen.dirs, sideFiles: seen.sideFiles, readAt: read}
	names := slices.DeleteFunc(slices.Clone(unit.Names), func(name string) bool { return name == filepath.Base(at.Rel) })
	j.group.Names = append([]string{filepath.Base(at.Rel)}, names...)
	entries, notes, err := j.readNewMembers(ctx, l, at, f, names)
	return j, entries, notes, err
}

// readNewMembers reads further member files, as many at a time as there are CPU cores.
func (j *fileSet) readNewMembers(ctx context.Context, l *Library, at roots.Place, f *session.Format, names []string) (entries [][]session.Entry, notes []session.Note, err error) {
	type part struct {
		entries [][]session.Entry
		notes   []session.Note
	}
	parts, members := make([]part, len(names)), make([]*member, len(names))
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, name := range names {
		m := &member{at: at.Sibling(name), file: int32(len(j.members) + i + 1)}
		members[i] = m
		g.Go(func() (err error) {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			p := &parts[i]
			if p.entries, p.notes, err = m.readMember(ctx, l, f); err != nil && ctx.Err() == nil {
				p.notes = append(p.notes, session.Note{Code: session.NoteBadFile, File: int(m.file), Text: "This file cannot be read: " + err.Error()})
				m.fileErr = err
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

// buildTree builds the tree of a loaded session.
func (s *Session) buildTree(ld *loadedFile) *session.Tree {
	if ld.fileSet == nil || !ld.format.ArrangesEveryFile() && len(ld.fileSet.members) == 0 {
		return session.BuildFromParts(ld.header, ld.entries, ld.notes)
	}
	return session.BuildArranged(ld.header, append(slices.Clip(ld.entries), ld.others...), append(slices.Clip(ld.notes), ld.otherNotes...), s.arrangeFunc(ld))
}

// arrangeFunc returns the format's Arrange for a file group: on the first call the
// group of ld, later that of the session. The function is called with updateMu held.
func (s *Session) arrangeFunc(ld *loadedFile) func([]*session.Entry) session.Arrangement {
	f, first := ld.format, ld.fileSet.group
	return func(given []*session.Entry) session.Arrangement {
		unit := first
		if first.Names = nil; unit.Names == nil {
			unit = s.fileSet.group
		}
		unit.Session = ld.header.ID
		return f.Graph.Arrange(unit, given)
	}
}

// totalBytesRead returns how many bytes of all files were read, torn lines included. It
// is the N of a revision. The caller holds updateMu.
func (s *Session) totalBytesRead() int64 {
	n := s.checkpoint.Size
	if s.fileSet != nil {
		for _, m := range s.fileSet.members {
			if m.reader != nil {
				n += m.checkpoint.Size
			}
		}
	}
	return n
}

// recordGrowth sets the revision after the files have changed. The caller holds
// updateMu and mu.
func (s *Session) recordGrowth() {
	n := s.totalBytesRead()
	if n < s.rev.N {
		s.rev.Epoch, s.growth = s.lib.epochs.nextEpoch(), nil
	}
	s.rev.N = n
	s.growth.addGrowthStep(s.rev.N, s.tree.Len())
}

// buildMainFileTree builds the tree of the main file alone.
func (ld *loadedFile) buildMainFileTree(at roots.Place) *session.Tree {
	if !ld.format.ArrangesEveryFile() {
		return session.BuildFromParts(ld.header, ld.entries, ld.notes)
	}
	unit := session.FileGroup{Names: []string{filepath.Base(at.Rel)}}
	return session.BuildArranged(ld.header, ld.entries, ld.notes, func(given []*session.Entry) session.Arrangement {
		return ld.format.Graph.Arrange(unit, given)
	})
}
