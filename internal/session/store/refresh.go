package store

import (
	"context"
	"io/fs"

	"sessiontree/internal/session"
	"sessiontree/internal/session/roots"
	"sessiontree/internal/session/scan"
)

// ChangeKind is how a session changed.
type ChangeKind uint8

// The kinds of change, in ascending order of effect.
const (
	Unchanged ChangeKind = iota
	Appended
	Rewritten // reloaded: positions are invalid
	Removed   // the file is gone or cannot be read; see Session.FileError
)

// Change is what a refresh found.
type Change struct {
	Kind        ChangeKind
	Rev         Revision
	Leaf        string // id of the leaf
	Entries     int    // new entries; of files other than the session's own only those on the path to the leaf
	Labels      bool   // older entries are displayed differently: labels, or attached threads
	Annotations bool   // the annotations changed
	Unreported  bool   // a line is being written, or the like: the next refresh reports it if it rests
}

// Refresh reads what changed in the files, at a cost in proportion to the change. A
// file that cannot be read is a change, not an error; a later Refresh finds it when it
// is back.
func (s *Session) Refresh(ctx context.Context) (Change, error) {
	return s.refreshAndNotify(ctx, "")
}

// RefreshPath is Refresh for a change of a single file or directory of the session. It
// does not check the other files: a session may have a thousand.
func (s *Session) RefreshPath(ctx context.Context, path string) (Change, error) {
	return s.refreshAndNotify(ctx, path)
}

// refreshAndNotify refreshes what changed at a path, or anywhere if path is "", and
// reports the change. Of several calls that wait for updateMu the first one refreshes for
// all: otherwise a growing session with many viewers delays every request.
func (s *Session) refreshAndNotify(ctx context.Context, path string) (Change, error) {
	called := s.begun.Load()
	u := s.beginUpdate()
	if s.lookedAll > called {
		c := s.newChange(Unchanged)
		u.End()
		return c, nil
	}
	began := s.begun.Add(1)
	c, err := u.refreshLocked(ctx, path)
	if err == nil && path == "" {
		s.lookedAll = began
	}
	u.End()
	s.notifyChange(c)
	return c, err
}

// notifyChange calls the OnChange function of the library.
func (s *Session) notifyChange(c Change) {
	if c.Kind != Unchanged && s.lib.onChange != nil {
		s.lib.onChange(s, c)
	}
}

// reloadUnlessNewer reads everything again unless that was done since epoch.
func (s *Session) reloadUnlessNewer(ctx context.Context, epoch uint64) {
	u := s.beginUpdate()
	var c Change
	if s.Revision().Epoch == epoch {
		s.needsReload = true
		c, _ = u.refreshLocked(ctx, "") // the next Refresh returns the error again
	}
	u.End()
	s.notifyChange(c)
}

// loadInitially reads the session for the first time.
func (s *Session) loadInitially(ctx context.Context) error {
	u := s.beginUpdate()
	defer u.End()
	ld, err := s.lib.readPath(ctx, s.at, readOptions{keepLines: s.isWatched})
	if err == nil {
		err = u.readOtherFiles(ctx, ld)
	}
	if err != nil {
		return err
	}
	u.installLoaded(ld)
	s.lastRevision, s.reportedRevision = s.rev, s.rev
	return nil
}

// refreshLocked refreshes the session's files, or the one at a path, and the
// annotations. A state without news, such as a line that is being written, is reported
// when the next call finds it unchanged.
func (u update) refreshLocked(ctx context.Context, path string) (Change, error) {
	c, err := u.refreshFiles(ctx, path)
	u.reweigh()
	now := u.s.Revision()
	rests := now == u.s.lastRevision && u.s.FileError() == nil
	u.s.lastRevision = now
	switch {
	case err != nil:
	case c.Kind != Unchanged:
		u.s.reportedRevision = now
	case rests && now != u.s.reportedRevision:
		u.s.reportedRevision = now
		return u.s.newChange(Appended), nil
	}
	c.Unreported = now != u.s.reportedRevision && u.s.FileError() == nil
	return c, err
}

func (u update) refreshFiles(ctx context.Context, path string) (c Change, err error) {
	c = u.s.newChange(Unchanged)
	before := u.s.reader
	if path == "" || path == u.s.at.Path || u.s.needsReload {
		if c, err = u.refreshMainFile(ctx); err != nil || c.Kind == Removed {
			return c, err
		}
		c = u.noteDeleted(c)
	}
	if u.s.reader == before { // otherwise all files were read again
		if u.s.fileSet != nil && (path != u.s.at.Path || u.s.relatedChanged || u.s.fileSet.group.DependsOnContent) {
			if c, err = u.refreshOtherFiles(ctx, c, path); err != nil {
				return c, err
			}
		}
		c = u.refreshInferredCwd(c)
	}
	return u.refreshAnnotations(c), nil
}

func (u update) refreshMainFile(ctx context.Context) (Change, error) {
	f, info, err := u.s.at.OpenFile()
	if err != nil {
		return u.markUnreadable(err), nil
	}
	defer f.Close()
	if u.s.needsReload || u.s.FileError() != nil || u.isValueRewritten(info) {
		return u.reloadFile(ctx, f, info)
	}
	v, err := u.s.checkpoint.CompareFile(f, info)
	if err != nil {
		return u.markUnreadable(u.s.at.PathError(err)), nil
	}
	switch v {
	case scan.FileReplaced:
		return u.reloadFile(ctx, f, info)
	case scan.FileSlotOverwritten:
		return u.rereadTitleSlot(ctx, f, info)
	case scan.FileGrown:
		return u.readAppended(ctx, f, info)
	}
	u.updateFileTimes(info)
	return u.s.newChange(Unchanged), nil
}

// reloadFile reads the whole file and replaces the tree.
func (u update) reloadFile(ctx context.Context, f roots.ReadableFile, info fs.FileInfo) (Change, error) {
	ld, err := u.s.lib.readOpenFile(ctx, u.s.at, f, info, readOptions{keepLines: u.s.isWatched})
	if err == nil {
		u.saveRetracted(ctx, ld)
		err = u.readOtherFiles(ctx, ld)
	}
	if ctx.Err() != nil {
		u.s.needsReload = true
		return u.s.newChange(Unchanged), ctx.Err()
	}
	if err != nil {
		return u.markUnreadable(err), nil
	}
	n := u.installLoaded(ld)
	c := u.s.newChange(Rewritten)
	c.Entries, c.Labels = n, true
	return c, nil
}

// installLoaded replaces the session's state with a loaded one, in a new epoch. It
// returns the number of entries.
func (u update) installLoaded(ld *loadedFile) int {
	tree := u.buildTree(ld)
	n := tree.Len()
	annotations, state, notes := u.s.lib.sidecars.LoadAnnotations(tree, ld.Format, u.s.at)
	tree.ApplyAnnotations(annotations)
	u.s.sidecar = state
	u.s.reader, u.s.checkpoint, u.s.needsReload = ld.Reader, ld.checkpoint, false
	u.updateMeta(func(k *sessionMeta) {
		*k = sessionMeta{key: u.s.lib.DeriveKey(ld.Format.Name, ld.header.ID, u.s.at.Path), format: ld.Format, size: ld.checkpoint.Size, mtime: ld.checkpoint.Mtime, deleted: ld.checkpoint.IsOfCopy(), torn: ld.Torn, sidecarNotes: notes}
	})
	u.s.mu.Lock()
	u.s.tree, u.s.checks, u.s.fileSet = tree, ld.Checks, ld.fileSet
	u.s.rev = Revision{Epoch: u.s.lib.epochs.nextEpoch()}
	u.s.growth = nil
	u.recordGrowth()
	u.s.mu.Unlock()
	u.reweigh()
	ld.Reader.DropResults()
	return n
}

// reweigh sums the memory of all files.
func (u update) reweigh() {
	n := u.s.reader.Memory()
	if u.s.fileSet != nil {
		for _, m := range u.s.fileSet.members {
			if m.reader != nil {
				n += m.reader.Memory()
			}
		}
	}
	u.s.weight.Store(n)
}

// markUnreadable records why the file cannot be read. The tree remains.
func (u update) markUnreadable(err error) Change {
	before := u.s.FileError()
	u.updateMeta(func(k *sessionMeta) { k.fileErr = err })
	if before == nil || before.Error() != err.Error() {
		return u.s.newChange(Removed)
	}
	return u.s.newChange(Unchanged)
}

func (s *Session) newChange(kind ChangeKind) Change {
	s.mu.RLock()
	defer s.mu.RUnlock()
	c := Change{Kind: kind, Rev: s.rev}
	if leaf := s.tree.Leaf(); leaf != session.NoPos {
		c.Leaf = s.tree.At(leaf).ID
	}
	return c
}

// Revision returns the current revision.
func (s *Session) Revision() Revision {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.rev
}
