package store

import (
	"context"
	"errors"
	"io/fs"
	"reflect"
	"slices"

	"sessiontree/internal/session"
	"sessiontree/internal/session/gather"
	"sessiontree/internal/session/scan"
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
func (u update) refreshMembers(ctx context.Context, path string) (f memberChanges, err error) {
	for _, m := range u.s.fileSet.members {
		if m.retracted || path != "" && path != m.at.Path { // retracted lines never change
			continue
		}
		e, n, replaced, err := u.refreshMember(ctx, m)
		if err != nil || replaced {
			return memberChanges{needsReload: replaced}, err
		}
		f.addMemberChanges(e, n)
	}
	return f, nil
}

// gatherNewMembers reads files that belong to the session now and were missing when its
// directories were read.
func (u update) gatherNewMembers(ctx context.Context, f *memberChanges) error {
	if !u.s.fileSet.group.DependsOnContent && !u.s.fileSet.state.IsStale(u.s.at) {
		return nil
	}
	if !u.s.fileSet.state.IsZero() { // otherwise they were just found
		if err := u.updateRelated(ctx, u.s.Format()); err != nil {
			return err
		}
	}
	unit, state, err := gather.FindFiles(u.s.at, u.s.Format(), u.memberNames(), &u.s.lib.fileCache, u.s.lib.now())
	if err != nil {
		return nil // the directory is gone with its files
	}
	old := u.s.fileSet
	fresh, lost := old.compareNames(unit.Names)
	if lost || !u.s.Format().ArrangesEveryFile() && len(old.members) == 0 && len(fresh) > 0 { // its entries must be arranged from now on
		f.needsReload = true
		return nil
	}
	j := &fileSet{state: state, members: slices.Clip(old.members)}
	j.group = session.FileGroup{Names: append(slices.Clip(old.group.Names), fresh...), WholeDir: old.group.WholeDir, Extra: unit.Extra, SideFiles: unit.SideFiles,
		DependsOnContent: unit.DependsOnContent, Retracted: old.group.Retracted}
	u.s.agentsChanged = u.s.agentsChanged || !reflect.DeepEqual(unit.Extra, old.group.Extra)
	e, n, err := j.readNewMembers(ctx, u.s.lib, u.s.at, u.s.Format(), fresh)
	if err != nil {
		return err
	}
	u.noteNewRelations(e)
	u.s.mu.Lock()
	u.s.fileSet = j
	u.s.mu.Unlock()
	if len(fresh) > 0 {
		u.s.sidecar.ForgetRelated() // so that the sidecars of their sessions are read
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

func (u update) refreshMember(ctx context.Context, m *member) (e [][]session.Entry, n []session.Note, again bool, err error) {
	if m.isUnchanged() {
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
	v, err := m.checkpoint.CompareFile(f, info)
	switch {
	case err != nil:
		return nil, nil, false, nil
	case v == scan.FileReplaced, v == scan.FileSlotOverwritten:
		return nil, nil, true, nil
	case v != scan.FileGrown:
		m.checkpoint.UpdateFileInfo(info)
		return nil, nil, false, nil
	}
	if m.checkpoint.IsLastLineContinued(f) {
		return nil, nil, true, nil
	}
	if err := m.reader.ReadTo(ctx, f, info.Size()); err != nil {
		return nil, nil, ctx.Err() == nil, ctx.Err()
	}
	m.checkpoint = scan.NewCheckpoint(m.reader, info)
	checks, torn := m.reader.Checks, m.memberTornNote()
	e, n = m.takeMemberEntries()
	u.noteNewRelations(e)
	u.s.mu.Lock()
	u.s.memberNotesChanged = u.s.memberNotesChanged || (torn == nil) != (m.torn == nil)
	m.checks, m.torn = append(m.checks, checks...), torn
	u.s.mu.Unlock()
	return e, n, false, nil
}

// refreshOtherFiles refreshes the session's other files, or the one at a path. c is the
// change of the main file.
func (u update) refreshOtherFiles(ctx context.Context, c Change, path string) (Change, error) {
	f, err := u.refreshMembers(ctx, path)
	if err == nil && !f.needsReload && (path == "" || u.s.fileSet.group.DependsOnContent || !slices.Contains(u.filePaths(), path)) {
		err = u.gatherNewMembers(ctx, &f)
		u.s.relatedChanged = u.s.relatedChanged || err == nil && path != "" && u.isRelatedFile(ctx, path)
	}
	if err != nil {
		u.s.needsReload = true
		return c, err
	}
	if f.needsReload {
		file, info, err := u.s.at.OpenFile()
		if err != nil {
			return u.markUnreadable(err), nil
		}
		defer file.Close()
		return u.reloadFile(ctx, file, info)
	}
	c = u.extendTree(f, c)
	if !u.s.relatedChanged {
		return c, nil
	}
	u.s.relatedChanged = false
	return u.joinNewRelated(ctx, c)
}

// extendTree adds the new entries to the tree.
func (u update) extendTree(f memberChanges, c Change) Change {
	if len(f.entries) == 0 && len(f.notes) == 0 && !u.s.memberNotesChanged && !u.s.agentsChanged {
		u.s.mu.Lock()
		u.recordGrowth()
		u.s.mu.Unlock()
		return c
	}
	h, _ := u.s.reader.CompletedHeader()
	kind := max(c.Kind, Appended)
	u.s.mu.Lock()
	before := u.s.tree.Len()
	rebuilt := u.s.tree.AppendParts(h, f.entries, f.notes)
	if u.s.agentsChanged { // side files may attach agents elsewhere
		rebuilt = u.s.tree.Rearrange() || rebuilt
	}
	if rebuilt {
		kind = Rewritten
		u.s.rev.Epoch = u.s.lib.epochs.nextEpoch()
	}
	u.s.memberNotesChanged, u.s.agentsChanged = false, false
	u.recordGrowth()
	came, begins := u.s.tree.AppendedSince(session.Pos(before))
	u.s.mu.Unlock()
	full := u.s.newChange(kind)
	full.Entries, full.Labels = c.Entries+came, c.Labels || kind == Rewritten || begins
	return full
}

// filePaths returns the paths of the session's files.
func (u update) filePaths() []string {
	files := []string{u.s.at.Path}
	for _, m := range u.s.fileSet.members {
		files = append(files, m.at.Path)
	}
	return files
}
