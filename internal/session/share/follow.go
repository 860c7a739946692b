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

// Follow brings the live shares of a session up to date. What it costs goes with
// what is new. A share that cannot be brought up to date is revoked, and its record
// says why; a session that is gone, or cannot be read for now, leaves its shares as
// they are.
func (s *Shares) Follow(ctx context.Context, src *store.Session) {
	if err := s.scan(); err != nil {
		s.log.Warn("live shares cannot be found", "error", err)
	}
	for _, r := range s.records() {
		if r.Live && r.Source.Path == src.Path() && r.State(s.now()) == Open {
			s.follow(ctx, r.ID, src)
		}
	}
}

func (s *Shares) follow(ctx context.Context, id string, src *store.Session) {
	err := s.change(ctx, id, func(k *kept) error {
		f := &following{Shares: s, k: k, r: s.record(k), src: src}
		err := f.bring(ctx)
		if err == nil || ctx.Err() != nil || away(err) {
			return err
		}
		why := fmt.Sprintf("It could not follow its session any more: %v.", err)
		return errors.Join(err, s.revoke(context.WithoutCancel(ctx), k, why))
	})
	switch {
	case err == nil || ctx.Err() != nil:
	case away(err):
		s.log.Debug("a live share waits for its session", "share", id, "error", err)
	default:
		s.log.Warn("a live share cannot follow its session", "share", id, "error", err)
	}
}

// following is a share that is brought up to date.
type following struct {
	*Shares
	k   *kept
	r   record
	src *store.Session
	job *export.Job
}

// tries is how often a session that changes while it is read is read again.
const tries = 3

func (f *following) bring(ctx context.Context) (err error) {
	if f.look(&f.r); f.r.State(f.now()) != Open {
		return nil // meanwhile
	}
	for range tries {
		if err = f.once(ctx); !errors.Is(err, session.ErrStale) {
			return err
		}
	}
	return err
}

func (f *following) once(ctx context.Context) error {
	if err := f.prepare(ctx); err != nil {
		return err
	}
	info, err := os.Lstat(f.snapshot(&f.r))
	if err != nil {
		return own(err)
	}
	// What was written is known to be what the session says only as long as the
	// session was only added to, and the file is as it was left.
	if f.k.epoch == f.job.Epoch() && info.Size() == f.r.Bytes && f.job.Since(f.r.Copied) {
		err = f.add(ctx)
	} else {
		err = f.again(ctx)
	}
	if err == nil {
		f.k.epoch = f.job.Epoch()
	}
	return err
}

// prepare finds out what the snapshot would hold by now.
func (f *following) prepare(ctx context.Context) error {
	if _, err := f.src.Refresh(ctx); err != nil {
		return err
	}
	if err := f.src.Gone(); err != nil {
		return err
	}
	var err error
	var names export.Names
	f.src.Read(func(t *session.Tree, _ store.Rev) {
		f.r.Of = Size(t)
		names = export.NamesOf(t)
		f.r.Part, err = f.r.Part.Onward(t)
	})
	if err != nil {
		return err
	}
	if err := blind(f.r.Classes, f.redactor); err != nil {
		return err
	}
	o := f.r.options(f.redactor, names)
	f.job, err = export.Prepare(ctx, f.src, o)
	return err
}

// add appends what is new, in one write, so that no reader sees a part of it.
func (f *following) add(ctx context.Context) error {
	var text bytes.Buffer
	result, err := f.job.Write(ctx, &text)
	if err != nil {
		return err
	}
	f.r.counted(added(f.r.Written, result.Redacted), result.Beside)
	if text.Len() == 0 {
		return f.unchanged(ctx)
	}
	if err := f.append(text.Bytes()); err != nil {
		return own(err)
	}
	return f.done(ctx, result, f.r.Bytes+result.Bytes)
}

// unchanged notes how large the session is by now and what lies beside the snapshot,
// where that stays as it is.
func (f *following) unchanged(ctx context.Context) error {
	if err := f.beside(ctx, &f.r, f.src, f.job, nil); err != nil {
		return own(err)
	}
	if was := f.record(f.k); was.Of != f.r.Of || !slices.Equal(was.Redacted, f.r.Redacted) {
		if err := f.save(f.k, f.r, false); err != nil {
			return own(err)
		}
	}
	return f.tell(ctx)
}

func (f *following) append(text []byte) error {
	file, err := os.OpenFile(f.snapshot(&f.r), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	return errors.Join(err, file.Close())
}

// again writes the snapshot anew and puts it in the place of the one that is there.
func (f *following) again(ctx context.Context) error {
	temp, err := os.CreateTemp(f.path(f.r.ID), tempPrefix+"*")
	if err != nil {
		return own(err)
	}
	defer os.Remove(temp.Name()) // unless it was renamed
	out := &ours{w: bufio.NewWriterSize(temp, 256<<10)}
	result, err := f.job.Write(ctx, out)
	switch {
	case out.err != nil:
		err = own(out.err)
	case err == nil:
		err = own(out.w.Flush())
	}
	if err = errors.Join(err, own(temp.Close())); err != nil {
		return err
	}
	if err := os.Rename(temp.Name(), f.snapshot(&f.r)); err != nil {
		return own(err)
	}
	f.r.counted(result.Redacted, result.Beside)
	return f.done(ctx, result, result.Bytes)
}

// ours remembers what went wrong in writing, to tell it from what went wrong in
// reading.
type ours struct {
	w   *bufio.Writer
	err error
}

func (o *ours) Write(b []byte) (n int, err error) {
	n, err = o.w.Write(b)
	if err != nil && o.err == nil {
		o.err = err
	}
	return n, err
}

var _ io.Writer = (*ours)(nil)

// done records what the snapshot holds now, and tells its readers.
func (f *following) done(ctx context.Context, result export.Result, bytes int64) error {
	if err := f.beside(ctx, &f.r, f.src, f.job, result.Blobs); err != nil {
		return own(err)
	}
	f.r.Copied, f.r.Entries, f.r.Bytes = f.job.Copied(), f.job.Held(), bytes
	if err := f.save(f.k, f.r, false); err != nil {
		return own(err)
	}
	return f.tell(ctx)
}

// tell shows the readers what the snapshot is by now, and what lies beside it.
func (f *following) tell(ctx context.Context) error {
	if open, ok := f.lib.Opened(f.snapshot(&f.r)); ok {
		_, err := open.Refresh(ctx)
		return own(err)
	}
	return nil
}

// added adds counts up by kind.
func added(a, b []export.Count) []export.Count {
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
