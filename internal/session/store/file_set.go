package store

import (
	"context"
	"path/filepath"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"sessiontree/internal/session"
	"sessiontree/internal/session/gather"
	"sessiontree/internal/session/roots"
	"sessiontree/internal/session/scan"
)

// fileSet is the files that are shown as one session, and the state of the directories
// they were found in. It is replaced, never changed.
type fileSet struct {
	group   session.FileGroup
	members []*member
	state   gather.State // of the directories
}

// readOtherFiles reads the session's other files after the main one.
func (u update) readOtherFiles(ctx context.Context, ld *loadedFile) (err error) {
	u.s.relatedChanged = false
	if err := u.updateRelated(ctx, ld.Format); err != nil {
		return err
	}
	if ld.header.Cwd == "" || ld.header.CwdGuessed {
		ld.SharedCwd = u.s.lib.inferCwd(u.s.at, ld.Format)
		ld.header, _ = ld.Reader.CompletedHeader()
	}
	ld.fileSet, ld.others, ld.otherNotes, err = u.s.lib.readMembers(ctx, u.s.at, ld.Format, u.memberNames())
	if err == nil {
		err = u.readRetracted(ctx, ld)
	}
	return err
}

// readMembers reads all member files of a session. A file that cannot be read is left
// out with a note.
func (l *Library) readMembers(ctx context.Context, at roots.Place, f *session.Format, sessions []string) (*fileSet, [][]session.Entry, []session.Note, error) {
	if f.Graph == nil {
		return nil, nil, nil, nil
	}
	unit, state, err := gather.FindFiles(at, f, sessions, &l.fileCache, l.now())
	if err != nil {
		return nil, nil, nil, err
	}
	j := &fileSet{group: unit, state: state}
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
func (u update) buildTree(ld *loadedFile) *session.Tree {
	if ld.fileSet == nil || !ld.Format.ArrangesEveryFile() && len(ld.fileSet.members) == 0 {
		return session.BuildFromParts(ld.header, ld.Entries, ld.Notes)
	}
	return session.BuildArranged(ld.header, append(slices.Clip(ld.Entries), ld.others...), append(slices.Clip(ld.Notes), ld.otherNotes...), u.arrangeFunc(ld))
}

// arrangeFunc returns the format's Arrange for a file group: on the first call the
// group of ld, later that of the session. The function is called during updates.
func (u update) arrangeFunc(ld *loadedFile) func([]*session.Entry) session.Arrangement {
	f, first := ld.Format, ld.fileSet.group
	return func(given []*session.Entry) session.Arrangement {
		unit := first
		if first.Names = nil; unit.Names == nil {
			unit = u.s.fileSet.group
		}
		unit.Session = ld.header.ID
		return f.Graph.Arrange(unit, given)
	}
}

// totalBytesRead returns how many bytes of all files were read, torn lines included. It
// is the N of a revision.
func (u update) totalBytesRead() int64 {
	n := u.s.checkpoint.Size
	if u.s.fileSet != nil {
		for _, m := range u.s.fileSet.members {
			if m.reader != nil {
				n += m.checkpoint.Size
			}
		}
	}
	return n
}

// recordGrowth sets the revision after the files have changed. The caller holds
// mu.
func (u update) recordGrowth() {
	n := u.totalBytesRead()
	if n < u.s.rev.N {
		u.s.rev.Epoch, u.s.growth = u.s.lib.epochs.nextEpoch(), nil
	}
	u.s.rev.N = n
	u.s.growth.addGrowthStep(u.s.rev.N, u.s.tree.Len())
}

// buildMainFileTree builds the tree of the main file alone.
func (ld *loadedFile) buildMainFileTree(at roots.Place) *session.Tree {
	if !ld.Format.ArrangesEveryFile() {
		return session.BuildFromParts(ld.header, ld.Entries, ld.Notes)
	}
	unit := session.FileGroup{Names: []string{filepath.Base(at.Rel)}}
	return session.BuildArranged(ld.header, ld.Entries, ld.Notes, func(given []*session.Entry) session.Arrangement {
		return ld.Format.Graph.Arrange(unit, given)
	})
}

// member is a file other than the main one that is shown as part of a session. Its
// fields are guarded like those of Session.
type member struct {
	at         roots.Place
	file       int32 // its index in Span.File
	reader     *scan.Reader
	checkpoint scan.Checkpoint
	fileErr    error            // why the file cannot be read now
	retracted  bool             // a file in the state directory with lines that an agent retracted
	checks     []scan.LineCheck // checks and torn are guarded by Session.mu
	torn       *session.Note    // about an unfinished last line
}

// readMember reads the whole file. An empty file has no lines yet.
func (m *member) readMember(ctx context.Context, l *Library, format *session.Format) ([][]session.Entry, []session.Note, error) {
	f, info, err := m.at.OpenFile()
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	m.reader = scan.NewReader(format, m.at.Path, l.scanOptions)
	if err := m.reader.ReadTo(ctx, f, info.Size()); err != nil {
		return nil, nil, m.at.PathError(err)
	}
	m.checkpoint = scan.NewCheckpoint(m.reader, info)
	m.fileErr, m.checks, m.torn = nil, m.reader.Checks, m.memberTornNote()
	e, n := m.takeMemberEntries()
	return e, n, nil
}

// isUnchanged reports whether the file is certainly as it was read, without opening it: a
// session may have a thousand files, of which one grows.
func (m *member) isUnchanged() bool {
	if m.fileErr != nil || m.reader == nil {
		return false
	}
	info, err := m.at.StatPath()
	return err == nil && m.checkpoint.MatchesFileInfo(info)
}

// takeMemberEntries returns the entries and notes of the last read, with the number of
// this file.
func (m *member) takeMemberEntries() ([][]session.Entry, []session.Note) {
	r := m.reader
	entries, notes := r.Entries, r.Notes
	for _, part := range entries {
		for i := range part {
			part[i].Span.File = m.file
		}
	}
	for i := range notes {
		notes[i].File = int(m.file)
	}
	r.DropResults()
	return entries, notes
}

// memberTornNote returns the note about the last line after a read, nil if it is
// finished.
func (m *member) memberTornNote() *session.Note {
	switch r := m.reader; {
	case r.Torn != nil:
		torn := *r.Torn
		torn.File = int(m.file)
		return &torn
	case r.IsOpen():
		return m.torn // the line did not change
	}
	return nil
}
