package store

import (
	"bytes"
	"context"
	"io"
	"io/fs"
	"os"

	"sessiontree/internal/session"
)

// ChangeKind says how a session changed.
type ChangeKind uint8

// The kinds of change, the stronger the larger.
const (
	Unchanged ChangeKind = iota
	Appended
	Rewritten // reloaded: positions are void
	Removed   // the file is gone or cannot be read; Session.Gone says why
)

// Change is what a Refresh found.
type Change struct {
	Kind    ChangeKind
	Rev     Rev
	Leaf    string // id
	Entries int    // new entries; of other files than the session's own, those on the path to the leaf
	Labels  bool   // what older entries show changed: labels, the lines that begin at them
	Aside   bool   // what is kept aside changed, not the file alone
}

// Refresh takes in what is new in the files, at a cost in proportion to it. A
// file that cannot be read is a change, not an error, and is found again by a
// later Refresh when it returns.
func (s *Session) Refresh(ctx context.Context) (Change, error) {
	return s.refreshPath(ctx, "")
}

// RefreshPath is Refresh after a file or directory that the session is shown with,
// or may be shown with, has changed, and nothing else. Its other files are not
// looked at: a session may have a thousand.
func (s *Session) RefreshPath(ctx context.Context, path string) (Change, error) {
	return s.refreshPath(ctx, path)
}

// refreshPath takes in what changed at a path, or with "" anywhere.
func (s *Session) refreshPath(ctx context.Context, path string) (Change, error) {
	s.turn.Lock()
	c, err := s.refresh(ctx, path)
	s.turn.Unlock()
	s.tell(c)
	return c, err
}

// tell passes a change on to whoever the library was made for.
func (s *Session) tell(c Change) {
	if c.Kind != Unchanged && s.lib.changed != nil {
		s.lib.changed(s, c)
	}
}

// reread reads everything again unless that was done since epoch.
func (s *Session) reread(ctx context.Context, epoch uint64) {
	s.turn.Lock()
	var c Change
	if s.revision().Epoch == epoch {
		s.distrust = true
		c, _ = s.refresh(ctx, "") // its error comes again with the next Refresh
	}
	s.turn.Unlock()
	s.tell(c)
}

// reload reads the session for the first time.
func (s *Session) reload(ctx context.Context) error {
	s.turn.Lock()
	defer s.turn.Unlock()
	ld, err := s.lib.read(ctx, s.at)
	if err == nil {
		err = s.readOthers(ctx, ld)
	}
	if err != nil {
		return err
	}
	s.install(ld)
	s.looked, s.reported = s.rev, s.rev
	return nil
}

// refresh takes in the session's files, or the one at a path, and what is kept
// aside. A state that is no news, such as a line that is being written, is reported
// when the next look finds it unchanged.
func (s *Session) refresh(ctx context.Context, path string) (Change, error) {
	c, err := s.refreshAll(ctx, path)
	now := s.revision()
	rests := now == s.looked && s.Gone() == nil
	s.looked = now
	switch {
	case err != nil:
	case c.Kind != Unchanged:
		s.reported = now
	case rests && now != s.reported:
		s.reported = now
		return s.change(Appended), nil
	}
	return c, err
}

func (s *Session) refreshAll(ctx context.Context, path string) (c Change, err error) {
	c = s.change(Unchanged)
	before := s.reading
	if path == "" || path == s.at.path || s.distrust {
		if c, err = s.refreshFile(ctx); err != nil || c.Kind == Removed {
			return c, err
		}
	}
	if s.reading == before { // else all files were read anew
		if s.joined != nil && (path != s.at.path || s.tied || s.joined.unit.Unsettled) {
			if c, err = s.refreshOthers(ctx, c, path); err != nil {
				return c, err
			}
		}
		c = s.refreshCwd(c)
	}
	return s.refreshAside(c), nil
}

func (s *Session) refreshFile(ctx context.Context) (Change, error) {
	f, info, err := s.at.open()
	if err != nil {
		return s.lose(err), nil
	}
	defer f.Close()
	if s.distrust || s.Gone() != nil || s.rewritten(info) {
		return s.again(ctx, f, info)
	}
	v, err := s.mark.compare(f, info)
	if err != nil {
		return s.lose(s.at.failed(err)), nil
	}
	switch v {
	case replaced:
		return s.again(ctx, f, info)
	case slotted:
		return s.retitle(ctx, f, info)
	case grown:
		return s.grow(ctx, f, info)
	}
	s.moved(info)
	return s.change(Unchanged), nil
}

// again reads the whole file and replaces the tree.
func (s *Session) again(ctx context.Context, f *os.File, info fs.FileInfo) (Change, error) {
	ld, err := s.lib.readFile(ctx, s.at, f, info)
	if err == nil {
		s.keepRewound(ctx, ld)
		err = s.readOthers(ctx, ld)
	}
	if ctx.Err() != nil {
		s.distrust = true
		return s.change(Unchanged), ctx.Err()
	}
	if err != nil {
		return s.lose(err), nil
	}
	n := s.install(ld)
	c := s.change(Rewritten)
	c.Entries, c.Labels = n, true
	return c, nil
}

// install makes a fresh reading the session, in a new epoch. It answers the
// number of entries.
func (s *Session) install(ld *loaded) int {
	tree := s.build(ld)
	n := tree.Len()
	aside, notes := s.kept(tree, ld.format)
	tree.Overlay(aside)
	s.reading, s.mark, s.distrust = ld.reading, ld.mark, false
	s.weight.Store(ld.weight)
	s.know(func(k *known) {
		*k = known{key: Key(ld.format.Name, ld.header.ID, s.at.path), format: ld.format, mtime: ld.mark.Mtime / 1e6, torn: ld.torn, aside: notes}
	})
	s.mu.Lock()
	s.tree, s.checks, s.joined = tree, ld.checks, ld.joined
	s.rev = Rev{Epoch: s.lib.epochs.next()}
	s.steps = nil
	s.stepped()
	s.mu.Unlock()
	ld.reading.forget()
	return n
}

// grow reads what was added after the last accepted line.
func (s *Session) grow(ctx context.Context, f *os.File, info fs.FileInfo) (Change, error) {
	if s.mark.Open && !endsAt(f, s.mark.Off) {
		return s.again(ctx, f, info) // the line that seemed whole went on
	}
	if s.waits(f, info.Size()) {
		s.moved(info)
		s.mark.hash(s.reading.head, s.reading.tail) // the slot may be another by now
		s.mu.Lock()
		s.stepped()
		s.mu.Unlock()
		return s.change(Unchanged), nil
	}
	r := s.reading
	if err := r.part(ctx, f, info.Size()); err != nil {
		s.distrust = true // the decoder may have seen half of it
		if ctx.Err() != nil {
			return s.change(Unchanged), ctx.Err()
		}
		return s.lose(s.at.failed(err)), nil
	}
	s.mark = newMark(r, info)
	if s.overtaken(f, info) || s.returned(r.checks) {
		return s.again(ctx, f, info)
	}
	return s.accept(), nil
}

// overtaken reports whether the file became another while its tail was read.
func (s *Session) overtaken(f *os.File, info fs.FileInfo) bool {
	now, err := f.Stat()
	if err != nil || now.Size() == info.Size() && now.ModTime().Equal(info.ModTime()) {
		return false
	}
	v, err := s.mark.compare(f, now)
	return err == nil && v == replaced
}

// accept adds to the tree what grow read.
func (s *Session) accept() Change {
	r := s.reading
	h, _ := r.header()
	entries := r.all()
	c := Change{Entries: session.CountEntries(entries), Labels: hasLabel(entries)}
	s.weight.Add(r.weight)

	torn := r.torn
	if torn == nil && r.open {
		torn = s.known.Load().torn // nothing was added to the line
	}
	kind, ended := Unchanged, s.known.Load().torn != nil && torn == nil
	s.noteTies(r.entries)
	s.mu.Lock()
	if len(entries) > 0 || len(r.notes) > 0 || ended {
		kind = Appended
	}
	if len(entries) > 0 {
		s.grew = s.lib.now()
	}
	if kind == Appended && s.tree.Append(h, entries, r.notes) {
		kind = Rewritten
		s.rev.Epoch = s.lib.epochs.next()
	}
	s.checks = append(s.checks, r.checks...)
	s.stepped()
	s.mu.Unlock()
	s.know(func(k *known) { k.torn, k.mtime, k.theirs = torn, s.mark.Mtime/1e6, 0 })

	r.forget()
	full := s.change(kind)
	full.Entries, full.Labels = c.Entries, c.Labels || kind == Rewritten
	return full
}

func hasLabel(entries []session.Entry) bool {
	for i := range entries {
		if entries[i].Kind == session.KindLabel {
			return true
		}
	}
	return false
}

// retitle takes in a slot at the start of the file that was overwritten in
// place, and whatever was added besides.
func (s *Session) retitle(ctx context.Context, f *os.File, info fs.FileInfo) (Change, error) {
	slot := make([]byte, s.mark.Slot)
	if err := readFull(f, slot, 0); err != nil {
		return s.again(ctx, f, info)
	}
	line, _, ended := bytes.Cut(slot, newline)
	rec, err := s.reading.format.Scan(line, s.lib.home)
	if err != nil || !ended || !rec.Skip {
		return s.again(ctx, f, info) // not whole yet, or no slot any more
	}
	rec.Entry.Span = session.Span{Len: int32(len(line)), Line: 1}
	s.reading.dec.Next(rec)
	copy(s.reading.head, slot)
	h, _ := s.reading.header()
	c, err := s.grow(ctx, f, info)
	if err != nil || c.Kind > Appended {
		return c, err
	}
	s.mu.Lock()
	s.tree.Append(h, nil, nil)
	s.rev.Epoch = s.lib.epochs.next()
	s.mu.Unlock()
	full := s.change(Rewritten)
	full.Entries, full.Labels = c.Entries, c.Labels
	return full, nil
}

// lose notes that the file cannot be read, or cannot for another reason. The tree
// stays.
func (s *Session) lose(err error) Change {
	before := s.Gone()
	s.know(func(k *known) { k.gone = err })
	if before == nil || before.Error() != err.Error() {
		return s.change(Removed)
	}
	return s.change(Unchanged)
}

// moved remembers the file's new looks.
func (s *Session) moved(info fs.FileInfo) {
	s.mark.moved(info)
	s.know(func(k *known) {
		if now := s.mark.Mtime / 1e6; now != k.mtime {
			k.mtime, k.theirs = now, 0
		}
	})
}

func (s *Session) change(kind ChangeKind) Change {
	s.mu.RLock()
	defer s.mu.RUnlock()
	c := Change{Kind: kind, Rev: s.rev}
	if leaf := s.tree.Leaf(); leaf != session.NoPos {
		c.Leaf = s.tree.At(leaf).ID
	}
	return c
}

func (s *Session) revision() Rev {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.rev
}

// endsAt reports whether the line before off ends there.
func endsAt(f io.ReaderAt, off int64) bool {
	var b [1]byte
	n, _ := f.ReadAt(b[:], off)
	return n == 0 || b[0] == '\n' || b[0] == '\r'
}

// waits reports whether a torn last line has only become longer: then it need
// not be read from its start again. It looks at the new bytes only.
func (s *Session) waits(f io.ReaderAt, size int64) bool {
	from := s.mark.Size
	if from <= s.mark.Off || size <= from {
		return false
	}
	buf := make([]byte, min(size-from, blockSize))
	var last []byte
	for from < size {
		n := int(min(size-from, int64(len(buf))))
		if readFull(f, buf[:n], from) != nil || bytes.IndexByte(buf[:n], '\n') >= 0 {
			return false
		}
		last, from = buf[:n], from+int64(n)
	}
	return !closed(last) && !blank(last)
}
