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

// memberChanges is what is new in a session's other files.
type memberChanges struct {
	entries     [][]session.Entry
	notes       []session.Note
	needsReload bool // everything must be read again
}

func (f *memberChanges) addMemberChanges(entries [][]session.Entry, notes []session.Note) {
	f.entries, f.notes = append(f.entries, entries...), append(f.notes, notes...)
}

// refreshMembers reads what is new in the session's other files, or in the one at a
// path.
func (s *Session) refreshMembers(ctx context.Context, path string) (f memberChanges, err error) {
	for _, m := range s.fileSet.members {
		if path != "" && path != m.at.Path {
			continue
		}
		e, n, replaced, err := s.refreshMember(ctx, m)
		if err != nil || replaced {
			return memberChanges{needsReload: replaced}, err
		}
		f.addMemberChanges(e, n)
	}
	return f, nil
}

// gatherNewMembers reads files that belong to the session now and were missing when its
// directories were read.
func (s *Session) gatherNewMembers(ctx context.Context, f *memberChanges) error {
	if !s.fileSet.isStale(s.at) {
		return nil
	}
	if s.fileSet.dirs != nil { // otherwise they were just found
		if err := s.updateRelated(ctx, s.Format()); err != nil {
			return err
		}
	}
	read := s.lib.now()
	unit, seen, err := s.lib.gatherGroup(s.at, s.Format(), s.memberNames())
	if err != nil {
		return nil // the directory is gone with its files
	}
	old := s.fileSet
	fresh, lost := old.compareNames(unit.Names)
	if lost || !s.Format().ArrangesEveryFile() && len(old.members) == 0 && len(fresh) > 0 { // its entries must be arranged from now on
		f.needsReload = true
		return nil
	}
	j := &fileSet{dirs: seen.dirs, sideFiles: seen.sideFiles, readAt: read, members: slices.Clip(old.members)}
	j.group = session.FileGroup{Names: append(slices.Clip(old.group.Names), fresh...), WholeDir: old.group.WholeDir, Extra: unit.Extra, SideFiles: unit.SideFiles,
		DependsOnContent: unit.DependsOnContent, Retracted: old.group.Retracted}
	s.agentsChanged = s.agentsChanged || !reflect.DeepEqual(unit.Extra, old.group.Extra)
	e, n, err := j.readNewMembers(ctx, s.lib, s.at, s.Format(), fresh)
	if err != nil {
		return err
	}
	s.noteNewRelations(e)
	s.mu.Lock()
	s.fileSet = j
	s.mu.Unlock()
	if len(fresh) > 0 {
		s.sidecar.dirModTime = time.Time{} // so that the sidecars of their sessions are read
	}
	f.addMemberChanges(e, n)
	return nil
}

// compareNames returns which of names are new. lost reports whether an existing member
// is not among them, because it belongs to another session.
func (j *fileSet) compareNames(names []string) (fresh []string, lost bool) {
	now, before := map[string]bool{}, map[string]bool{}
	for _, name := range names {
		now[name] = true
	}
	for i, name := range j.group.Names {
		before[name] = true
		if i > 0 && !now[name] && !j.members[i-1].retracted && j.members[i-1].fileErr == nil {
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
	if m.fileErr == nil && m.reader != nil && m.checkpoint.isFileUnchanged(m.at.Path) {
		return nil, nil, false, nil
	}
	f, info, err := m.at.OpenFile()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		m.fileErr = err // its entries remain readable as far as they were read
		return nil, nil, false, nil
	case err != nil:
		return nil, nil, false, nil
	}
	defer f.Close()
	if m.fileErr != nil || m.reader == nil {
		return nil, nil, true, nil
	}
	v, err := m.checkpoint.compareFile(f, info)
	switch {
	case err != nil:
		return nil, nil, false, nil
	case v == fileReplaced, v == fileSlotOverwritten:
		return nil, nil, true, nil
	case v != fileGrown:
		m.checkpoint.updateFileInfo(info)
		return nil, nil, false, nil
	}
	if m.checkpoint.Open && !lineEndsAt(f, m.checkpoint.Off) {
		return nil, nil, true, nil
	}
	if err := m.reader.readTo(ctx, f, info.Size()); err != nil {
		return nil, nil, ctx.Err() == nil, ctx.Err()
	}
	m.checkpoint = newCheckpoint(m.reader, info)
	checks, torn := m.reader.checks, m.memberTornNote()
	e, n = m.takeMemberEntries()
	s.noteNewRelations(e)
	s.mu.Lock()
	s.memberNotesChanged = s.memberNotesChanged || (torn == nil) != (m.torn == nil)
	m.checks, m.torn = append(m.checks, checks...), torn
	s.mu.Unlock()
	return e, n, false, nil
}

// refreshOtherFiles refreshes the session's other files, or the one at a path. c is the
// change of the main file.
func (s *Session) refreshOtherFiles(ctx context.Context, c Change, path string) (Change, error) {
	f, err := s.refreshMembers(ctx, path)
	if err == nil && !f.needsReload && (path == "" || s.fileSet.group.DependsOnContent || !slices.Contains(s.filePaths(), path)) {
		err = s.gatherNewMembers(ctx, &f)
		s.relatedChanged = s.relatedChanged || err == nil && path != "" && s.isRelatedFile(ctx, path)
	}
	if err != nil {
		s.needsReload = true
		return c, err
	}
	if f.needsReload {
		file, info, err := s.at.OpenFile()
		if err != nil {
			return s.markUnreadable(err), nil
		}
		defer file.Close()
		return s.reloadFile(ctx, file, info)
	}
	c = s.extendTree(f, c)
	if !s.relatedChanged {
		return c, nil
	}
	s.relatedChanged = false
	return s.joinNewRelated(ctx, c)
}

// extendTree adds the new entries to the tree.
func (s *Session) extendTree(f memberChanges, c Change) Change {
	if len(f.entries) == 0 && len(f.notes) == 0 && !s.memberNotesChanged && !s.agentsChanged {
		s.mu.Lock()
		s.recordGrowth()
		s.mu.Unlock()
		return c
	}
	h, _ := s.reader.completedHeader()
	kind := max(c.Kind, Appended)
	s.mu.Lock()
	before := s.tree.Len()
	rebuilt := s.tree.AppendParts(h, f.entries, f.notes)
	if s.agentsChanged { // side files may attach agents elsewhere
		rebuilt = s.tree.Rearrange() || rebuilt
	}
	if rebuilt {
		kind = Rewritten
		s.rev.Epoch = s.lib.epochs.nextEpoch()
	}
	s.memberNotesChanged, s.agentsChanged = false, false
	s.recordGrowth()
	came, begins := s.tree.AppendedSince(session.Pos(before))
	s.mu.Unlock()
	full := s.newChange(kind)
	full.Entries, full.Labels = c.Entries+came, c.Labels || kind == Rewritten || begins
	return full
}

// filePaths returns the paths of the session's files. The caller holds updateMu.
func (s *Session) filePaths() []string {
	files := []string{s.at.Path}
	for _, m := range s.fileSet.members {
		files = append(files, m.at.Path)
	}
	return files
}
