package archive

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"sessiontree/internal/session/safefile"
)

// maxTailFrames is how many frames a tail has before they are merged: many small ones take
// more space than one.
const maxTailFrames = 128

// Append implements Store.
func (d *Dir) Append(ctx context.Context, s Segment) (Head, error) {
	if err := s.Check(); err != nil {
		return Head{}, err
	}
	unlock, err := d.lock(ctx)
	if err != nil {
		return Head{}, fmt.Errorf("copy of %s: %w", s.Path, err)
	}
	defer unlock()
	head, err := d.appendLocked(&s)
	if err == nil {
		err = d.journal.recordHead(s.Path, head)
	}
	var conflict *ConflictError
	switch {
	case errors.As(err, &conflict):
		return Head{}, err
	case err != nil:
		return Head{}, fmt.Errorf("copy of %s: %w", s.Path, err)
	}
	return head, nil
}

// appendLocked stores a segment. The caller holds the lock.
func (d *Dir) appendLocked(s *Segment) (Head, error) {
	t, err := d.readTail(FileID(s.Path), s.Generation)
	if errors.Is(err, fs.ErrNotExist) {
		return d.beginGeneration(s)
	}
	if err == nil {
		err = d.journal.recordHead(s.Path, headOf(t)) // a call that was killed may have stored what is not listed
	}
	if err != nil {
		return Head{}, err
	}
	chain, _ := t.chain()
	isNewest := s.Generation == d.newestHead(s.Path, headOf(t)).Generation
	switch {
	case s.Off == t.end() && s.Before == chain && len(s.Data) == 0 && s.ModTime.UnixNano() == t.modTime():
		return d.confirmStored(s, t)
	case s.Off == t.end() && s.Before == chain && isNewest:
		return d.extendGeneration(s, t)
	case s.Off < t.end():
		return d.confirmStored(s, t)
	}
	return Head{}, d.newConflict(s, headOf(t))
}

// newestHead returns the head of the newest generation. h is one that is stored, which the
// journal may not know.
func (d *Dir) newestHead(path string, h Head) Head {
	if heads := d.journal.known(path); len(heads) > 0 && heads[len(heads)-1].Generation > h.Generation {
		return heads[len(heads)-1]
	}
	return h
}

func (d *Dir) newConflict(s *Segment, h Head) error {
	return &ConflictError{Path: s.Path, Head: d.newestHead(s.Path, h)}
}

// beginGeneration stores the first segment of a generation.
func (d *Dir) beginGeneration(s *Segment) (Head, error) {
	newest := d.newestHead(s.Path, Head{})
	if s.Generation != newest.Generation+1 || s.Off != 0 || s.Before != EmptyChain {
		return Head{}, d.newConflict(s, Head{})
	}
	t := newTail(s.Path, s.Generation)
	f, err := t.nextFrame(s)
	if err != nil {
		return Head{}, err
	}
	t.frames = []frame{f}
	if err := d.writeTail(t); err != nil {
		return Head{}, err
	}
	return headOf(t), nil
}

// confirmStored returns the head if the bytes of a segment are stored already. They may have
// been written by a call that failed before they were durable.
func (d *Dir) confirmStored(s *Segment, t *tail) (Head, error) {
	f, err := d.openFile(FileID(s.Path), s.Generation)
	if err != nil {
		return Head{}, err
	}
	defer f.Close()
	switch same, err := s.IsStoredIn(f, t.end()); {
	case err != nil:
		return Head{}, err
	case !same:
		return Head{}, d.newConflict(s, headOf(t))
	}
	return headOf(t), safefile.SyncFile(d.generationPath(FileID(s.Path), s.Generation) + tailSuffix)
}

// extendGeneration stores a segment at the end of a generation.
func (d *Dir) extendGeneration(s *Segment, t *tail) (Head, error) {
	f, err := t.nextFrame(s)
	if err != nil {
		return Head{}, err
	}
	switch {
	case f.end()-t.Base > MaxSegment && len(t.frames) > 0:
		t, err = d.moveToPack(t, f)
	case len(t.frames) >= maxTailFrames:
		if t, err = t.merged(f); err == nil {
			err = d.writeTail(t)
		}
	default:
		err = d.appendFrame(t, f)
	}
	if err != nil {
		return Head{}, err
	}
	return headOf(t), nil
}

// appendFrame appends a frame to the file of a tail.
func (d *Dir) appendFrame(t *tail, f frame) error {
	path := d.generationPath(FileID(string(t.Path)), t.Generation) + tailSuffix
	if err := appendDurably(path, t.size, f.appendTo(nil)); err != nil {
		return err
	}
	t.frames = append(t.frames, f)
	t.size += f.size()
	return nil
}

// moveToPack appends the bytes of a tail to the pack and returns the tail with the frame
// that follows. If it fails between the two, the tail is as it was, and the next attempt
// overwrites what the pack has too much.
func (d *Dir) moveToPack(t *tail, f frame) (*tail, error) {
	full, err := mergeFrames(t.frames)
	if err != nil {
		return nil, err
	}
	path := d.generationPath(FileID(string(t.Path)), t.Generation) + packSuffix
	if err := appendDurably(path, t.PackSize, full.appendTo(nil)); err != nil {
		return nil, err
	}
	next := t.after(t.PackSize+full.size(), f)
	return next, d.writeTail(next)
}

// appendDurably writes b after the first size bytes of a file, in place of what is there. If
// it fails, these bytes are unchanged.
func appendDurably(path string, size int64, b []byte) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|os.O_APPEND|safefile.Nonblocking, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return err
	case info.Size() < size:
		return fmt.Errorf("%s is too short: %w", path, ErrDamaged)
	case info.Size() > size: // a call failed or was killed here
		if err := f.Truncate(size); err != nil {
			return err
		}
	}
	if _, err := safefile.AppendOnce(f, b, size); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return errors.Join(err, f.Truncate(size)) // what is not durable must not look stored
	}
	return nil
}

// Compact merges the last segments of a file, which takes less space. It is for files that
// are not growing any more.
func (d *Dir) Compact(ctx context.Context, path string) error {
	heads := d.journal.heads(path)
	if len(heads) == 0 {
		return nil
	}
	unlock, err := d.lock(ctx)
	if err != nil {
		return fmt.Errorf("copy of %s: %w", path, err)
	}
	defer unlock()
	t, err := d.readTail(FileID(path), heads[len(heads)-1].Generation)
	if err != nil || len(t.frames) < 2 {
		return safefile.IgnoreError(err, fs.ErrNotExist)
	}
	if t, err = t.merged(); err == nil {
		err = d.writeTail(t)
	}
	if err == nil {
		err = d.journal.recordHead(path, headOf(t))
	}
	if err != nil {
		return fmt.Errorf("copy of %s: %w", path, err)
	}
	return nil
}

// newestOf returns the last of the heads.
func newestOf(heads []Head) (Head, bool) {
	if len(heads) == 0 {
		return Head{}, false
	}
	return heads[len(heads)-1], true
}

// replaceHead returns the heads with one of them replaced or added, in order.
func replaceHead(heads []Head, h Head) []Head {
	i, found := slices.BinarySearchFunc(heads, h.Generation, func(x Head, g int) int { return x.Generation - g })
	heads = slices.Clone(heads)
	if found {
		heads[i] = h
		return heads
	}
	return slices.Insert(heads, i, h)
}
