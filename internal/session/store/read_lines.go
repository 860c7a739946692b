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

// lineLocation is where the line of an entry must be, and what it must be.
type lineLocation struct {
	id      string
	span    session.Span
	sum     uint32
	inValue bool // no line, but a part of the one value that the file is
}

// ReadRawLine reads the recorded line of an entry, without its end. session.ErrStale
// when the file changed below it; the session is then reloaded.
func (s *Session) ReadRawLine(ctx context.Context, p session.Pos) ([]byte, error) {
	var raw []byte
	err := s.forEachRawLine(ctx, []session.Pos{p}, func(_ int, line []byte) error {
		raw = line
		return nil
	})
	return raw, err
}

// ReadBody reads and decodes an entry.
func (s *Session) ReadBody(ctx context.Context, p session.Pos) (session.Body, error) {
	bodies, err := s.ReadBodies(ctx, []session.Pos{p})
	if err != nil {
		return session.Body{}, err
	}
	return bodies[0], nil
}

// ReadBodies reads and decodes several entries, opening the file once.
func (s *Session) ReadBodies(ctx context.Context, ps []session.Pos) ([]session.Body, error) {
	format := s.Format()
	bodies := make([]session.Body, len(ps))
	err := s.forEachRawLine(ctx, ps, func(i int, line []byte) (err error) {
		bodies[i], err = format.DecodeBody(line)
		return err
	})
	if err != nil {
		return nil, err
	}
	return bodies, nil
}

// Raw calls fn with the recorded line of each entry, opening the file once.
// fn may keep the line.
func (s *Session) ReadRawLines(ctx context.Context, ps []session.Pos, fn func(i int, line []byte) error) error {
	return s.forEachRawLine(ctx, ps, fn)
}

// forEachRawLine calls fn with the recorded line of each position, which it may keep.
func (s *Session) forEachRawLine(ctx context.Context, ps []session.Pos, fn func(i int, line []byte) error) error {
	spots, rev, err := s.locateLines(ps)
	if err != nil || len(spots) == 0 {
		return err
	}
	open := &openFiles{s: s}
	defer open.closeOpenFile()
	for i := range spots {
		if err := ctx.Err(); err != nil {
			return err
		}
		f, err := open.openNumberedFile(spots[i].span.File)
		if err != nil {
			_, _ = s.Refresh(ctx) // so that everybody learns that the file is gone
			return err
		}
		line, err := spots[i].readLocatedLine(f)
		if errors.Is(err, session.ErrStale) {
			s.reloadUnlessNewer(ctx, rev.Epoch)
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

// locateLines looks up where the lines of entries are.
func (s *Session) locateLines(ps []session.Pos) ([]lineLocation, Revision, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	spots := make([]lineLocation, len(ps))
	for i, p := range ps {
		if p < 0 || int(p) >= s.tree.Len() {
			return nil, s.rev, fmt.Errorf("%s: entry at %d: %w", s.at.path, p, session.ErrNotFound)
		}
		e := s.tree.At(p)
		spots[i] = lineLocation{id: e.ID, span: e.Span, sum: lineHashAt(s.lineChecks(e.Span.File), e.Span.Off), inValue: s.Format().SplitRecords != nil}
	}
	return spots, s.rev, nil
}

// lineChecks lists the lines of one of the session's files.
func (s *Session) lineChecks(file int32) []lineCheck {
	if file == 0 || s.fileSet == nil {
		return s.checks
	}
	return s.fileSet.members[file-1].checks
}

// filePlace is where one of the session's files lies.
func (s *Session) filePlace(file int32) place {
	if file == 0 {
		return s.at
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.fileSet.members[file-1].at
}

// lineHashAt answers the hash of the line at off.
func lineHashAt(checks []lineCheck, off int64) uint32 {
	i, ok := slices.BinarySearchFunc(checks, off, func(c lineCheck, off int64) int { return cmp.Compare(c.off, off) })
	if !ok {
		return 0
	}
	return checks[i].sum
}

// readLocatedLine reads the line and makes sure that it is the one that was scanned: it
// starts and ends where a line does, and its ends, where its id stands, hash to
// the same.
func (s *lineLocation) readLocatedLine(f io.ReaderAt) ([]byte, error) {
	buf := make([]byte, int(s.span.Len)+2)
	from := s.span.Off - 1
	if from < 0 {
		from, buf = 0, buf[1:]
	}
	n, err := f.ReadAt(buf, from)
	if err != nil && err != io.EOF {
		return nil, err
	}
	return s.verifyLine(buf[:n], int(s.span.Off-from))
}

// verifyLine takes the line out of the bytes around it.
func (s *lineLocation) verifyLine(around []byte, start int) ([]byte, error) {
	end := start + int(s.span.Len)
	if len(around) < end || !s.inValue && start > 0 && around[start-1] != '\n' && s.span.Off != int64(len(bom)) {
		return nil, session.ErrStale
	}
	if len(around) > end && !s.inValue && around[end] != '\n' && around[end] != '\r' {
		return nil, session.ErrStale
	}
	line := around[start:end:end]
	if hashLine(line) != s.sum {
		return nil, session.ErrStale
	}
	return line, nil
}

// ReadNoteLine reads the recorded line that a note is about. session.ErrNotFound when
// the file has no such line.
func (s *Session) ReadNoteLine(ctx context.Context, n session.Note) ([]byte, error) {
	s.updateMu.Lock()
	mark, ok := s.fileCheckpoint(n.File)
	s.updateMu.Unlock()
	if !ok || n.Line < 1 || n.Line > int(mark.Line)+1 || s.Format().SplitRecords != nil { // the last may lack its end
		return nil, fmt.Errorf("%s: line %d of file %d: %w", s.at.path, n.Line, n.File, session.ErrNotFound)
	}
	at := s.filePlace(int32(n.File))
	near, rev := s.nearestLineCheck(n)
	f, info, err := at.openFile()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	switch v, err := mark.compareFile(f, info); {
	case err != nil:
		return nil, at.pathError(err)
	case v == fileReplaced:
		s.reloadUnlessNewer(ctx, rev.Epoch)
		return nil, fmt.Errorf("%s: line %d: %w", at.path, n.Line, session.ErrStale)
	}
	line, err := readLineAfter(ctx, io.NewSectionReader(f, near.off, info.Size()-near.off), n.Line-int(near.line), s.lib.maxLineSize)
	if err != nil {
		return nil, fmt.Errorf("%s: line %d: %w", at.path, n.Line, err)
	}
	if near.off == 0 {
		line = bytes.TrimPrefix(line, bom)
	}
	return line, nil
}

// fileCheckpoint is how far one of the session's files was read; ok is false when it was
// not. The caller has the turn.
func (s *Session) fileCheckpoint(file int) (m Checkpoint, ok bool) {
	switch {
	case file == 0:
		return s.checkpoint, true
	case file < 0 || s.fileSet == nil || file > len(s.fileSet.members) || s.fileSet.members[file-1].reader == nil:
		return m, false
	}
	return s.fileSet.members[file-1].checkpoint, true
}

// nearestLineCheck answers the last known line at or before the one a note is about.
func (s *Session) nearestLineCheck(n session.Note) (lineCheck, Revision) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	checks := s.lineChecks(int32(n.File))
	i, _ := slices.BinarySearchFunc(checks, int32(n.Line)+1, func(c lineCheck, line int32) int { return cmp.Compare(c.line, line) })
	if i == 0 {
		return lineCheck{line: 1}, s.rev
	}
	return checks[i-1], s.rev
}

// readLineAfter passes n lines by and reads the next, if it is not too long.
func readLineAfter(ctx context.Context, r io.Reader, n, longest int) ([]byte, error) {
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

// openFiles is the files of a session that are open for one operation. Entries that
// are read together mostly lie in one.
type openFiles struct {
	s      *Session
	file   *os.File
	number int32 // index of f
}

func (o *openFiles) openNumberedFile(file int32) (*os.File, error) {
	if o.file != nil && o.number == file {
		return o.file, nil
	}
	o.closeOpenFile()
	f, _, err := o.s.filePlace(file).openFile()
	if err != nil {
		return nil, err
	}
	o.file, o.number = f, file
	return f, nil
}

// readEditedLine reads the line at a spot, as edit makes it.
func (o *openFiles) readEditedLine(at *lineLocation, edit func([]byte) ([]byte, error)) ([]byte, error) {
	f, err := o.openNumberedFile(at.span.File)
	if err != nil {
		return nil, err
	}
	line, err := at.readLocatedLine(f)
	if err != nil || edit == nil {
		return line, err
	}
	return edit(line)
}

func (o *openFiles) closeOpenFile() {
	if o.file != nil {
		o.file.Close()
		o.file = nil
	}
}
