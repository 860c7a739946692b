package store

import (
	"context"
	"io/fs"
	"os"

	"sessiontree/internal/session"
	"sessiontree/internal/session/scan"
)

// readAppended reads what was appended after the last accepted line.
func (s *Session) readAppended(ctx context.Context, f *os.File, info fs.FileInfo) (Change, error) {
	if s.checkpoint.IsLastLineContinued(f) {
		return s.reloadFile(ctx, f, info) // the line that seemed complete was continued
	}
	if s.checkpoint.IsTornLineGrowing(f, info.Size()) {
		s.updateFileTimes(info)
		s.reader.RehashEdges(&s.checkpoint) // the slot may have changed
		s.mu.Lock()
		s.recordGrowth()
		s.mu.Unlock()
		return s.newChange(Unchanged), nil
	}
	r := s.reader
	if err := r.ReadTo(ctx, f, info.Size()); err != nil {
		s.needsReload = true // the decoder may have seen half of it
		if ctx.Err() != nil {
			return s.newChange(Unchanged), ctx.Err()
		}
		return s.markUnreadable(s.at.PathError(err)), nil
	}
	s.checkpoint = scan.NewCheckpoint(r, info)
	if s.isReplacedMeanwhile(f, info) || s.hasReturnedLines(r.Checks) {
		return s.reloadFile(ctx, f, info)
	}
	return s.acceptAppended(), nil
}

// isReplacedMeanwhile reports whether the file was replaced while its tail was read.
func (s *Session) isReplacedMeanwhile(f *os.File, info fs.FileInfo) bool {
	now, err := f.Stat()
	if err != nil || now.Size() == info.Size() && now.ModTime().Equal(info.ModTime()) {
		return false
	}
	v, err := s.checkpoint.CompareFile(f, now)
	return err == nil && v == scan.FileReplaced
}

// acceptAppended adds the entries that readAppended read to the tree.
func (s *Session) acceptAppended() Change {
	r := s.reader
	h, _ := r.CompletedHeader()
	entries := r.AllEntries()
	c := Change{Entries: session.CountEntries(entries), Labels: containsLabel(entries)}

	torn := r.Torn
	if torn == nil && r.IsOpen() {
		torn = s.meta.Load().torn // the line did not change
	}
	kind, ended := Unchanged, s.meta.Load().torn != nil && torn == nil
	s.noteNewRelations(r.Entries)
	s.mu.Lock()
	if len(entries) > 0 || len(r.Notes) > 0 || ended {
		kind = Appended
	}
	if len(entries) > 0 {
		s.lastGrowth = s.lib.now()
	}
	if kind == Appended && s.tree.AppendEntries(h, entries, r.Notes) {
		kind = Rewritten
		s.rev.Epoch = s.lib.epochs.nextEpoch()
	}
	s.checks = append(s.checks, r.Checks...)
	s.recordGrowth()
	s.mu.Unlock()
	s.updateMeta(func(k *sessionMeta) { k.torn, k.size, k.mtime = torn, s.checkpoint.Size, s.checkpoint.Mtime })

	r.DropResults()
	full := s.newChange(kind)
	full.Entries, full.Labels = c.Entries, c.Labels || kind == Rewritten
	return full
}

func containsLabel(entries []session.Entry) bool {
	for i := range entries {
		if entries[i].Kind == session.KindLabel {
			return true
		}
	}
	return false
}

// rereadTitleSlot reads a title slot that was overwritten in place, and what was
// appended besides.
func (s *Session) rereadTitleSlot(ctx context.Context, f *os.File, info fs.FileInfo) (Change, error) {
	if !s.reader.RereadSlot(f, s.checkpoint.Slot) {
		return s.reloadFile(ctx, f, info) // incomplete, or not a slot any more
	}
	h, _ := s.reader.CompletedHeader()
	c, err := s.readAppended(ctx, f, info)
	if err != nil || c.Kind > Appended {
		return c, err
	}
	s.mu.Lock()
	s.tree.AppendEntries(h, nil, nil)
	s.rev.Epoch = s.lib.epochs.nextEpoch()
	s.mu.Unlock()
	full := s.newChange(Rewritten)
	full.Entries, full.Labels = c.Entries, c.Labels
	return full, nil
}

// updateFileTimes records the file's new modification time.
func (s *Session) updateFileTimes(info fs.FileInfo) {
	s.checkpoint.UpdateFileInfo(info)
	s.updateMeta(func(k *sessionMeta) { k.size, k.mtime = s.checkpoint.Size, s.checkpoint.Mtime })
}

// isValueRewritten reports whether a file that is one JSON value was written since it
// was read, so that all of it must be read again. The caller holds updateMu.
func (s *Session) isValueRewritten(info fs.FileInfo) bool {
	return s.Format().SplitRecords != nil && (info.Size() != s.checkpoint.Size || info.ModTime().UnixNano() != s.checkpoint.Mtime)
}
