package store

import (
	"context"
	"io/fs"
	"os"

	"sessiontree/internal/session"
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
	s.updateMu.Lock()
	if s.lookedAll > called {
		c := s.newChange(Unchanged)
		s.updateMu.Unlock()
		return c, nil
	}
	began := s.begun.Add(1)
	c, err := s.refreshLocked(ctx, path)
	if err == nil && path == "" {
		s.lookedAll = began
	}
	s.updateMu.Unlock()
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
	s.updateMu.Lock()
	var c Change
	if s.currentRevision().Epoch == epoch {
		s.needsReload = true
		c, _ = s.refreshLocked(ctx, "") // the next Refresh returns the error again
	}
	s.updateMu.Unlock()
	s.notifyChange(c)
}

// loadInitially reads the session for the first time.
func (s *Session) loadInitially(ctx context.Context) error {
	s.updateMu.Lock()
	defer s.updateMu.Unlock()
	ld, err := s.lib.readPath(ctx, s.at, s.isWatched)
	if err == nil {
		err = s.readOtherFiles(ctx, ld)
	}
	if err != nil {
		return err
	}
	s.installLoaded(ld)
	s.lastRevision, s.reportedRevision = s.rev, s.rev
	return nil
}

// refreshLocked refreshes the session's files, or the one at a path, and the
// annotations. A state without news, such as a line that is being written, is reported
// when the next call finds it unchanged.
func (s *Session) refreshLocked(ctx context.Context, path string) (Change, error) {
	c, err := s.refreshFiles(ctx, path)
	s.reweigh()
	now := s.currentRevision()
	rests := now == s.lastRevision && s.FileError() == nil
	s.lastRevision = now
	switch {
	case err != nil:
	case c.Kind != Unchanged:
		s.reportedRevision = now
	case rests && now != s.reportedRevision:
		s.reportedRevision = now
		return s.newChange(Appended), nil
	}
	return c, err
}

func (s *Session) refreshFiles(ctx context.Context, path string) (c Change, err error) {
	c = s.newChange(Unchanged)
	before := s.reader
	if path == "" || path == s.at.Path || s.needsReload {
		if c, err = s.refreshMainFile(ctx); err != nil || c.Kind == Removed {
			return c, err
		}
	}
	if s.reader == before { // otherwise all files were read again
		if s.fileSet != nil && (path != s.at.Path || s.relatedChanged || s.fileSet.group.DependsOnContent) {
			if c, err = s.refreshOtherFiles(ctx, c, path); err != nil {
				return c, err
			}
		}
		c = s.refreshInferredCwd(c)
	}
	return s.refreshAnnotations(c), nil
}

func (s *Session) refreshMainFile(ctx context.Context) (Change, error) {
	f, info, err := s.at.OpenFile()
	if err != nil {
		return s.markUnreadable(err), nil
	}
	defer f.Close()
	if s.needsReload || s.FileError() != nil || s.isValueRewritten(info) {
		return s.reloadFile(ctx, f, info)
	}
	v, err := s.checkpoint.compareFile(f, info)
	if err != nil {
		return s.markUnreadable(s.at.PathError(err)), nil
	}
	switch v {
	case fileReplaced:
		return s.reloadFile(ctx, f, info)
	case fileSlotOverwritten:
		return s.rereadTitleSlot(ctx, f, info)
	case fileGrown:
		return s.readAppended(ctx, f, info)
	}
	s.updateFileTimes(info)
	return s.newChange(Unchanged), nil
}

// reloadFile reads the whole file and replaces the tree.
func (s *Session) reloadFile(ctx context.Context, f *os.File, info fs.FileInfo) (Change, error) {
	ld, err := s.lib.readOpenFile(ctx, s.at, f, info, s.isWatched)
	if err == nil {
		s.saveRetracted(ctx, ld)
		err = s.readOtherFiles(ctx, ld)
	}
	if ctx.Err() != nil {
		s.needsReload = true
		return s.newChange(Unchanged), ctx.Err()
	}
	if err != nil {
		return s.markUnreadable(err), nil
	}
	n := s.installLoaded(ld)
	c := s.newChange(Rewritten)
	c.Entries, c.Labels = n, true
	return c, nil
}

// installLoaded replaces the session's state with a loaded one, in a new epoch. It
// returns the number of entries.
func (s *Session) installLoaded(ld *loadedFile) int {
	tree := s.buildTree(ld)
	n := tree.Len()
	aside, notes := s.loadAnnotations(tree, ld.format)
	tree.ApplyAnnotations(aside)
	s.reader, s.checkpoint, s.needsReload = ld.fileReader, ld.checkpoint, false
	s.updateMeta(func(k *sessionMeta) {
		*k = sessionMeta{key: DeriveKey(ld.format.Name, ld.header.ID, s.at.Path), format: ld.format, size: ld.checkpoint.Size, mtime: ld.checkpoint.Mtime, torn: ld.torn, sidecarNotes: notes}
	})
	s.mu.Lock()
	s.tree, s.checks, s.fileSet = tree, ld.checks, ld.fileSet
	s.rev = Revision{Epoch: s.lib.epochs.nextEpoch()}
	s.growth = nil
	s.recordGrowth()
	s.mu.Unlock()
	s.reweigh()
	ld.fileReader.dropResults()
	return n
}

// reweigh sums the memory of the entries of all files. The caller holds updateMu.
func (s *Session) reweigh() {
	n := s.reader.weight
	if s.fileSet != nil {
		for _, m := range s.fileSet.members {
			if m.reader != nil {
				n += m.reader.weight
			}
		}
	}
	s.weight.Store(n)
}

// markUnreadable records why the file cannot be read. The tree remains.
func (s *Session) markUnreadable(err error) Change {
	before := s.FileError()
	s.updateMeta(func(k *sessionMeta) { k.fileErr = err })
	if before == nil || before.Error() != err.Error() {
		return s.newChange(Removed)
	}
	return s.newChange(Unchanged)
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

func (s *Session) currentRevision() Revision {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.rev
}
