package store

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"sessiontree/internal/session"
)

// spot is where the line of an entry must be, and what it must be.
type spot struct {
	id   string
	span session.Span
	sum  uint32
	part bool // no line, but a part of the one value that the file is
}

// Raw reads the recorded line of an entry, without its end. session.ErrStale
// when the file changed below it; the session is then reloaded.
func (s *Session) Raw(ctx context.Context, p session.Pos) ([]byte, error) {
	var raw []byte
	err := s.lines(ctx, []session.Pos{p}, func(_ int, line []byte) error {
		raw = line
		return nil
	})
	return raw, err
}

// Body reads and decodes an entry.
func (s *Session) Body(ctx context.Context, p session.Pos) (session.Body, error) {
	bodies, err := s.Bodies(ctx, []session.Pos{p})
	if err != nil {
		return session.Body{}, err
	}
	return bodies[0], nil
}

// Bodies reads and decodes several entries, opening the file once.
func (s *Session) Bodies(ctx context.Context, ps []session.Pos) ([]session.Body, error) {
	format := s.Format()
	bodies := make([]session.Body, len(ps))
	err := s.lines(ctx, ps, func(i int, line []byte) (err error) {
		bodies[i], err = format.Body(line)
		return err
	})
	if err != nil {
		return nil, err
	}
	return bodies, nil
}

// Recorded calls fn with the recorded line of each entry, opening the file once.
// fn may keep the line.
func (s *Session) Recorded(ctx context.Context, ps []session.Pos, fn func(i int, line []byte) error) error {
	return s.lines(ctx, ps, fn)
}

// lines calls fn with the recorded line of each position, which it may keep.
func (s *Session) lines(ctx context.Context, ps []session.Pos, fn func(i int, line []byte) error) error {
	spots, rev, err := s.spots(ps)
	if err != nil || len(spots) == 0 {
		return err
	}
	open := &opened{s: s}
	defer open.close()
	for i := range spots {
		if err := ctx.Err(); err != nil {
			return err
		}
		f, err := open.file(spots[i].span.File)
		if err != nil {
			_, _ = s.Refresh(ctx) // so that everybody learns that the file is gone
			return err
		}
		line, err := spots[i].read(f)
		if errors.Is(err, session.ErrStale) {
			s.reread(ctx, rev.Epoch)
		}
		if err == nil {
			err = fn(i, line)
		}
		if err != nil {
			return fmt.Errorf("%s: entry %s: %w", s.at.path, spots[i].id, err)
		}
	}
	return nil
}

// spots looks up where the lines of entries are.
func (s *Session) spots(ps []session.Pos) ([]spot, Rev, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	spots := make([]spot, len(ps))
	for i, p := range ps {
		if p < 0 || int(p) >= s.tree.Len() {
			return nil, s.rev, fmt.Errorf("%s: entry at %d: %w", s.at.path, p, session.ErrNotFound)
		}
		e := s.tree.At(p)
		spots[i] = spot{id: e.ID, span: e.Span, sum: sumAt(s.checksOf(e.Span.File), e.Span.Off), part: s.Format().Split != nil}
	}
	return spots, s.rev, nil
}

// checksOf lists the lines of one of the session's files.
func (s *Session) checksOf(file int32) []check {
	if file == 0 || s.joined == nil {
		return s.checks
	}
	return s.joined.members[file-1].checks
}

// placeOf is where one of the session's files lies.
func (s *Session) placeOf(file int32) place {
	if file == 0 {
		return s.at
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.joined.members[file-1].at
}

// sumAt answers the hash of the line at off.
func sumAt(checks []check, off int64) uint32 {
	i, ok := slices.BinarySearchFunc(checks, off, func(c check, off int64) int { return cmp.Compare(c.off, off) })
	if !ok {
		return 0
	}
	return checks[i].sum
}

// read reads the line and makes sure that it is the one that was scanned: it
// starts and ends where a line does, and its ends, where its id stands, hash to
// the same.
func (s *spot) read(f io.ReaderAt) ([]byte, error) {
	buf := make([]byte, int(s.span.Len)+2)
	from := s.span.Off - 1
	if from < 0 {
		from, buf = 0, buf[1:]
	}
	n, err := f.ReadAt(buf, from)
	if err != nil && err != io.EOF {
		return nil, err
	}
	return s.verify(buf[:n], int(s.span.Off-from))
}

// verify takes the line out of the bytes around it.
func (s *spot) verify(around []byte, start int) ([]byte, error) {
	end := start + int(s.span.Len)
	if len(around) < end || !s.part && start > 0 && around[start-1] != '\n' && s.span.Off != int64(len(bom)) {
		return nil, session.ErrStale
	}
	if len(around) > end && !s.part && around[end] != '\n' && around[end] != '\r' {
		return nil, session.ErrStale
	}
	line := around[start:end:end]
	if lineSum(line) != s.sum {
		return nil, session.ErrStale
	}
	return line, nil
}

// Line reads the recorded line that a note is about. session.ErrNotFound when
// the file has no such line.
func (s *Session) Line(ctx context.Context, n session.Note) ([]byte, error) {
	s.turn.Lock()
	mark, ok := s.markOf(n.File)
	s.turn.Unlock()
	if !ok || n.Line < 1 || n.Line > int(mark.Line)+1 || s.Format().Split != nil { // the last may lack its end
		return nil, fmt.Errorf("%s: line %d of file %d: %w", s.at.path, n.Line, n.File, session.ErrNotFound)
	}
	at := s.placeOf(int32(n.File))
	near, rev := s.near(n)
	f, info, err := at.open()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	switch v, err := mark.compare(f, info); {
	case err != nil:
		return nil, at.failed(err)
	case v == replaced:
		s.reread(ctx, rev.Epoch)
		return nil, fmt.Errorf("%s: line %d: %w", at.path, n.Line, session.ErrStale)
	}
	line, err := lineAfter(ctx, io.NewSectionReader(f, near.off, info.Size()-near.off), n.Line-int(near.line), s.lib.longest)
	if err != nil {
		return nil, fmt.Errorf("%s: line %d: %w", at.path, n.Line, err)
	}
	if near.off == 0 {
		line = bytes.TrimPrefix(line, bom)
	}
	return line, nil
}

// markOf is how far one of the session's files was read; ok is false when it was
// not. The caller has the turn.
func (s *Session) markOf(file int) (m Mark, ok bool) {
	switch {
	case file == 0:
		return s.mark, true
	case file < 0 || s.joined == nil || file > len(s.joined.members) || s.joined.members[file-1].reading == nil:
		return m, false
	}
	return s.joined.members[file-1].mark, true
}

// near answers the last known line at or before the one a note is about.
func (s *Session) near(n session.Note) (check, Rev) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	checks := s.checksOf(int32(n.File))
	i, _ := slices.BinarySearchFunc(checks, int32(n.Line)+1, func(c check, line int32) int { return cmp.Compare(c.line, line) })
	if i == 0 {
		return check{line: 1}, s.rev
	}
	return checks[i-1], s.rev
}

// lineAfter passes n lines by and reads the next, if it is not too long.
func lineAfter(ctx context.Context, r io.Reader, n, longest int) ([]byte, error) {
	buf := make([]byte, 64<<10)
	var line []byte
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		got, err := r.Read(buf)
		rest := buf[:got]
		for n > 0 && len(rest) > 0 {
			_, after, ended := bytes.Cut(rest, newline)
			if ended {
				n--
			}
			rest = after
		}
		if n == 0 {
			head, _, ended := bytes.Cut(rest, newline)
			line = append(line, head...)
			if len(line) > longest {
				return nil, fmt.Errorf("%w: %w", session.ErrInvalid, errTooLong)
			}
			if ended || err == io.EOF && len(line) > 0 {
				return bytes.TrimSuffix(line, carriage), nil
			}
		}
		if err == io.EOF {
			return nil, session.ErrNotFound
		}
		if err != nil {
			return nil, err
		}
	}
}

// opened is the files of a session that are open for one operation. Entries that
// are read together mostly lie in one.
type opened struct {
	s  *Session
	f  *os.File
	at int32 // index of f
}

func (o *opened) file(file int32) (*os.File, error) {
	if o.f != nil && o.at == file {
		return o.f, nil
	}
	o.close()
	f, _, err := o.s.placeOf(file).open()
	if err != nil {
		return nil, err
	}
	o.f, o.at = f, file
	return f, nil
}

// line reads the line at a spot, as edit makes it.
func (o *opened) line(at *spot, edit func([]byte) ([]byte, error)) ([]byte, error) {
	f, err := o.file(at.span.File)
	if err != nil {
		return nil, err
	}
	line, err := at.read(f)
	if err != nil || edit == nil {
		return line, err
	}
	return edit(line)
}

func (o *opened) close() {
	if o.f != nil {
		o.f.Close()
		o.f = nil
	}
}
