package store

import (
	"bytes"
	"context"
	"io"
	"io/fs"
	"os"

	"sessiontree/internal/session"
	"sessiontree/internal/session/safefile"
)

// readAppended reads what was appended after the last accepted line.
func (s *Session) readAppended(ctx context.Context, f *os.File, info fs.FileInfo) (Change, error) {
	if s.checkpoint.Open && !lineEndsAt(f, s.checkpoint.Off) {
		return s.reloadFile(ctx, f, info) // the line that seemed complete was continued
	}
	if s.isTornLineGrowing(f, info.Size()) {
		s.updateFileTimes(info)
		s.checkpoint.setEdgeHashes(s.reader.head, s.reader.tail) // the slot may have changed
		s.mu.Lock()
		s.recordGrowth()
		s.mu.Unlock()
		return s.newChange(Unchanged), nil
	}
	r := s.reader
	if err := r.readTo(ctx, f, info.Size()); err != nil {
		s.needsReload = true // the decoder may have seen half of it
		if ctx.Err() != nil {
			return s.newChange(Unchanged), ctx.Err()
		}
		return s.markUnreadable(s.at.PathError(err)), nil
	}
	s.checkpoint = newCheckpoint(r, info)
	if s.isReplacedMeanwhile(f, info) || s.hasReturnedLines(r.checks) {
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
	v, err := s.checkpoint.compareFile(f, now)
	return err == nil && v == fileReplaced
}

// acceptAppended adds the entries that readAppended read to the tree.
func (s *Session) acceptAppended() Change {
	r := s.reader
	h, _ := r.completedHeader()
	entries := r.allEntries()
	c := Change{Entries: session.CountEntries(entries), Labels: containsLabel(entries)}

	torn := r.torn
	if torn == nil && r.open {
		torn = s.meta.Load().torn // the line did not change
	}
	kind, ended := Unchanged, s.meta.Load().torn != nil && torn == nil
	s.noteNewRelations(r.entries)
	s.mu.Lock()
	if len(entries) > 0 || len(r.notes) > 0 || ended {
		kind = Appended
	}
	if len(entries) > 0 {
		s.lastGrowth = s.lib.now()
	}
	if kind == Appended && s.tree.AppendEntries(h, entries, r.notes) {
		kind = Rewritten
		s.rev.Epoch = s.lib.epochs.nextEpoch()
	}
	s.checks = append(s.checks, r.checks...)
	s.recordGrowth()
	s.mu.Unlock()
	s.updateMeta(func(k *sessionMeta) { k.torn, k.size, k.mtime = torn, s.checkpoint.Size, s.checkpoint.Mtime })

	r.dropResults()
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
	slot := make([]byte, s.checkpoint.Slot)
	if err := safefile.ReadFull(f, slot, 0); err != nil {
		return s.reloadFile(ctx, f, info)
	}
	line, _, ended := bytes.Cut(slot, newline)
	rec, err := s.reader.format.ScanLine(line, s.lib.home)
	if err != nil || !ended || !rec.Ignored {
		return s.reloadFile(ctx, f, info) // incomplete, or not a slot any more
	}
	rec.Entry.Span = session.Span{Len: int32(len(line)), Line: 1}
	s.reader.dec.DecodeRecord(rec)
	copy(s.reader.head, slot)
	h, _ := s.reader.completedHeader()
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
	s.checkpoint.updateFileInfo(info)
	s.updateMeta(func(k *sessionMeta) { k.size, k.mtime = s.checkpoint.Size, s.checkpoint.Mtime })
}

// lineEndsAt reports whether the line before off ends at off.
func lineEndsAt(f io.ReaderAt, off int64) bool {
	var b [1]byte
	n, _ := f.ReadAt(b[:], off)
	return n == 0 || b[0] == '\n' || b[0] == '\r'
}

// isTornLineGrowing reports whether a torn last line only became longer, so that it
// need not be read again from its start. It reads only the new bytes.
func (s *Session) isTornLineGrowing(f io.ReaderAt, size int64) bool {
	from := s.checkpoint.Size
	if from <= s.checkpoint.Off || size <= from {
		return false
	}
	buf := make([]byte, min(size-from, blockSize))
	var last []byte
	for from < size {
		n := int(min(size-from, int64(len(buf))))
		if safefile.ReadFull(f, buf[:n], from) != nil || bytes.IndexByte(buf[:n], '\n') >= 0 {
			return false
		}
		last, from = buf[:n], from+int64(n)
	}
	return !endsLikeRecord(last) && !isBlankLine(last)
}
