package store

import (
	"context"
	"io/fs"
	"slices"

	"sessiontree/internal/session"
	"sessiontree/internal/session/roots"
	"sessiontree/internal/session/scan"
)

// readAppended reads what was appended after the last accepted line.
func (u update) readAppended(ctx context.Context, f roots.ReadableFile, info fs.FileInfo) (Change, error) {
	if u.s.checkpoint.IsLastLineContinued(f) || u.hasOtherFormat(f) {
		return u.reloadFile(ctx, f, info)
	}
	if u.s.checkpoint.IsTornLineGrowing(f, info.Size()) {
		u.updateFileTimes(info)
		u.s.reader.RehashEdges(&u.s.checkpoint) // the slot may have changed
		u.s.mu.Lock()
		u.recordGrowth()
		u.s.mu.Unlock()
		return u.s.newChange(Unchanged), nil
	}
	r := u.s.reader
	if err := r.ReadTo(ctx, f, info.Size()); err != nil {
		u.s.needsReload = true // the decoder may have seen half of it
		if ctx.Err() != nil {
			return u.s.newChange(Unchanged), ctx.Err()
		}
		return u.markUnreadable(u.s.at.PathError(err)), nil
	}
	u.s.checkpoint = scan.NewCheckpoint(r, info)
	if u.isReplacedMeanwhile(f, info) || u.hasReturnedLines(r.Checks) {
		return u.reloadFile(ctx, f, info)
	}
	return u.acceptAppended(), nil
}

// hasOtherFormat reports whether added lines tell that another agent writes the file.
func (u update) hasOtherFormat(f roots.ReadableFile) bool {
	if u.s.checkpoint.Line >= scan.SniffLines {
		return false
	}
	format, err := scan.SniffFormat(u.s.lib.formats, f, u.s.at.Path)
	return err == nil && format != u.s.Format()
}

// isReplacedMeanwhile reports whether the file was replaced while its tail was read.
func (u update) isReplacedMeanwhile(f roots.ReadableFile, info fs.FileInfo) bool {
	now, err := f.Stat()
	if err != nil || now.Size() == info.Size() && now.ModTime().Equal(info.ModTime()) {
		return false
	}
	v, err := u.s.checkpoint.CompareFile(f, now)
	return err == nil && v == scan.FileReplaced
}

// acceptAppended adds the entries that readAppended read to the tree.
func (u update) acceptAppended() Change {
	r := u.s.reader
	h, _ := r.CompletedHeader()
	entries := r.AllEntries()
	c := Change{Entries: session.CountEntries(entries), Labels: slices.ContainsFunc(entries, func(e session.Entry) bool { return e.Kind == session.KindLabel })}

	torn := r.Torn
	if torn == nil && r.IsOpen() {
		torn = u.s.meta.Load().torn // the line did not change
	}
	kind, ended := Unchanged, u.s.meta.Load().torn != nil && torn == nil
	u.noteNewRelations(r.Entries)
	u.s.mu.Lock()
	if len(entries) > 0 || len(r.Notes) > 0 || ended {
		kind = Appended
	}
	if len(entries) > 0 {
		u.s.lastGrowth = u.s.lib.now()
	}
	if kind == Appended && u.s.tree.AppendEntries(h, entries, r.Notes) {
		kind = Rewritten
		u.s.rev.Epoch = u.s.lib.epochs.nextEpoch()
	}
	u.s.checks = append(u.s.checks, r.Checks...)
	u.recordGrowth()
	u.s.mu.Unlock()
	u.updateMeta(func(k *sessionMeta) { k.torn, k.size, k.mtime = torn, u.s.checkpoint.Size, u.s.checkpoint.Mtime })

	r.DropResults()
	full := u.s.newChange(kind)
	full.Entries, full.Labels = c.Entries, c.Labels || kind == Rewritten
	return full
}

// rereadTitleSlot reads a title slot that was overwritten in place, and what was appended besides.
func (u update) rereadTitleSlot(ctx context.Context, f roots.ReadableFile, info fs.FileInfo) (Change, error) {
	if !u.s.reader.RereadSlot(f, u.s.checkpoint.Slot) {
		return u.reloadFile(ctx, f, info) // incomplete, or not a slot any more
	}
	h, _ := u.s.reader.CompletedHeader()
	c, err := u.readAppended(ctx, f, info)
	if err != nil || c.Kind > Appended {
		return c, err
	}
	u.s.mu.Lock()
	u.s.tree.AppendEntries(h, nil, nil)
	u.s.rev.Epoch = u.s.lib.epochs.nextEpoch()
	u.s.mu.Unlock()
	full := u.s.newChange(Rewritten)
	full.Entries, full.Labels = c.Entries, c.Labels
	return full, nil
}

// updateFileTimes records the file's new modification time.
func (u update) updateFileTimes(info fs.FileInfo) {
	u.s.checkpoint.UpdateFileInfo(info)
	u.updateMeta(func(k *sessionMeta) { k.size, k.mtime = u.s.checkpoint.Size, u.s.checkpoint.Mtime })
}

// isValueRewritten reports whether a file that is one JSON value was written since it
// was read, so that all of it must be read again.
func (u update) isValueRewritten(info fs.FileInfo) bool {
	return u.s.Format().SplitRecords != nil && (info.Size() != u.s.checkpoint.Size || info.ModTime().UnixNano() != u.s.checkpoint.Mtime)
}
