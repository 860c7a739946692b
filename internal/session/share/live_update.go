package share

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"

	"sessiontree/internal/session"
	"sessiontree/internal/session/export"
	"sessiontree/internal/session/store"
)

// UpdateLive updates the live shares of a session at a cost proportional to what is new.
// If an update fails it revokes the share and records the reason. If the session is
// deleted or temporarily unreadable, its shares remain unchanged.
func (s *Shares) UpdateLive(ctx context.Context, src *store.Session) {
	if err := s.refreshRecords(); err != nil {
		s.log.Warn("live shares cannot be found", "error", err)
	}
	for _, r := range s.listRecords() {
		if r.Live && r.Source.Path == src.Path() && r.StateAt(s.now()) == Open {
			s.updateShare(ctx, r.ID, src)
		}
	}
}

func (s *Shares) updateShare(ctx context.Context, id string, src *store.Session) {
	err := s.withUpdateLock(ctx, id, func(k *cachedShare) error {
		f := &snapshotUpdate{Shares: s, share: k, record: s.currentRecord(k), src: src}
		err := f.updateWithRetry(ctx)
		if err == nil || ctx.Err() != nil || isSessionUnavailable(err) {
			return err
		}
		why := fmt.Sprintf("It could no longer follow its session: %v.", err)
		return errors.Join(err, s.revokeShare(context.WithoutCancel(ctx), k, why))
	})
	switch {
	case err == nil || ctx.Err() != nil:
	case isSessionUnavailable(err):
		s.log.Debug("a live share waits for its session", "share", id, "error", err)
	default:
		s.log.Warn("a live share cannot follow its session", "share", id, "error", err)
	}
}

// snapshotUpdate is one update of a live share.
type snapshotUpdate struct {
	*Shares
	share  *cachedShare
	record shareRecord
	src    *store.Session
	job    *export.Job
}

// maxUpdateTries limits how often a session that changes during an update is read again.
const maxUpdateTries = 3

func (f *snapshotUpdate) updateWithRetry(ctx context.Context) (err error) {
	if f.loadStatus(&f.record); f.record.StateAt(f.now()) != Open {
		return nil // it has changed meanwhile
	}
	for range maxUpdateTries {
		if err = f.tryUpdate(ctx); !errors.Is(err, session.ErrStale) {
			return err
		}
	}
	return err
}

func (f *snapshotUpdate) tryUpdate(ctx context.Context) error {
	if err := f.prepareExport(ctx); err != nil {
		return err
	}
	info, err := os.Lstat(f.snapshotPath(&f.record))
	if err != nil {
		return wrapOwnError(err)
	}
	// The written lines equal those of the session only if the session was only appended
	// to and the file is unchanged.
	if f.share.epoch == f.job.Epoch() && info.Size() == f.record.Bytes && f.job.SkipCopied(f.record.Copied) {
		err = f.appendNew(ctx)
	} else {
		err = f.rewriteSnapshot(ctx)
	}
	if err == nil {
		f.share.epoch = f.job.Epoch()
	}
	return err
}

// prepareExport resolves the current content of the snapshot.
func (f *snapshotUpdate) prepareExport(ctx context.Context) error {
	if _, err := f.src.Refresh(ctx); err != nil {
		return err
	}
	if err := f.src.FileError(); err != nil {
		return err
	}
	var err error
	var names export.Names
	f.src.ReadTree(func(t *session.Tree, _ store.Revision) {
		f.record.SessionEntries = SnapshotSize(t)
		names = export.FindNames(t)
		f.record.Part, err = f.record.Part.ExtendToTip(t)
	})
	if err != nil {
		return err
	}
	if err := checkRedactor(f.record.Classes, f.redactor); err != nil {
		return err
	}
	o := f.record.exportOptions(f.redactor, names)
	f.job, err = export.Prepare(ctx, f.src, o)
	return err
}

// appendNew appends new lines in one write, so that no viewer sees an incomplete line.
func (f *snapshotUpdate) appendNew(ctx context.Context) error {
	var text bytes.Buffer
	result, err := f.job.Write(ctx, &text)
	if err != nil {
		return err
	}
	f.record.setRedacted(addCounts(f.record.SnapshotRedacted, result.Redacted), result.SidecarRedacted)
	if text.Len() == 0 {
		return f.recordUnchanged(ctx)
	}
	if err := f.appendToSnapshot(text.Bytes()); err != nil {
		return wrapOwnError(err)
	}
	return f.recordUpdate(ctx, result, f.record.Bytes+result.Bytes)
}

// recordUnchanged records the size of the session and updates the sidecar if the snapshot
// itself is unchanged.
func (f *snapshotUpdate) recordUnchanged(ctx context.Context) error {
	if err := f.writeSidecar(ctx, &f.record, f.src, f.job, nil); err != nil {
		return wrapOwnError(err)
	}
	if was := f.currentRecord(f.share); was.SessionEntries != f.record.SessionEntries || !slices.Equal(was.Redacted, f.record.Redacted) {
		if err := f.saveRecord(f.share, f.record, false); err != nil {
			return wrapOwnError(err)
		}
	}
	return f.refreshOpenSnapshot(ctx)
}

func (f *snapshotUpdate) appendToSnapshot(text []byte) error {
	file, err := os.OpenFile(f.snapshotPath(&f.record), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	return errors.Join(err, file.Close())
}

// rewriteSnapshot writes a new snapshot and replaces the current one.
func (f *snapshotUpdate) rewriteSnapshot(ctx context.Context) error {
	temp, err := os.CreateTemp(f.sharePath(f.record.ID), tempPrefix+"*")
	if err != nil {
		return wrapOwnError(err)
	}
	defer os.Remove(temp.Name()) // fails if it was renamed
	out := &errorKeepingWriter{w: bufio.NewWriterSize(temp, 256<<10)}
	result, err := f.job.Write(ctx, out)
	switch {
	case out.err != nil:
		err = wrapOwnError(out.err)
	case err == nil:
		err = wrapOwnError(out.w.Flush())
	}
	if err = errors.Join(err, wrapOwnError(temp.Close())); err != nil {
		return err
	}
	if err := os.Rename(temp.Name(), f.snapshotPath(&f.record)); err != nil {
		return wrapOwnError(err)
	}
	f.record.setRedacted(result.Redacted, result.SidecarRedacted)
	return f.recordUpdate(ctx, result, result.Bytes)
}

// errorKeepingWriter keeps the error of its writer, to distinguish it from errors of
// reading.
type errorKeepingWriter struct {
	w   *bufio.Writer
	err error
}

func (o *errorKeepingWriter) Write(b []byte) (n int, err error) {
	n, err = o.w.Write(b)
	if err != nil && o.err == nil {
		o.err = err
	}
	return n, err
}

var _ io.Writer = (*errorKeepingWriter)(nil)

// recordUpdate records what the snapshot contains and notifies its viewers.
func (f *snapshotUpdate) recordUpdate(ctx context.Context, result export.Result, bytes int64) error {
	if err := f.writeSidecar(ctx, &f.record, f.src, f.job, result.Blobs); err != nil {
		return wrapOwnError(err)
	}
	f.record.Copied, f.record.Entries, f.record.Bytes = f.job.CopiedState(), f.job.WrittenEntries(), bytes
	if err := f.saveRecord(f.share, f.record, false); err != nil {
		return wrapOwnError(err)
	}
	return f.refreshOpenSnapshot(ctx)
}

// refreshOpenSnapshot refreshes the snapshot if it is open, which notifies its viewers.
func (f *snapshotUpdate) refreshOpenSnapshot(ctx context.Context) error {
	if open, ok := f.lib.FindOpen(f.snapshotPath(&f.record)); ok {
		_, err := open.Refresh(ctx)
		return wrapOwnError(err)
	}
	return nil
}

// addCounts adds up counts by kind.
func addCounts(a, b []export.Count) []export.Count {
	kinds := map[string]int{}
	for _, c := range slices.Concat(a, b) {
		kinds[c.Kind] += c.Count
	}
	all := []export.Count{}
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		all = append(all, export.Count{Kind: kind, Count: kinds[kind]})
	}
	return all
}
