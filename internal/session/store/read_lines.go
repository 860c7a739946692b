package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"sessiontree/internal/session"
	"sessiontree/internal/session/roots"
)

// lineLocation is where the line of an entry is, and its hash.
type lineLocation struct {
	id      string
	span    session.Span
	sum     uint32
	inValue bool // part of the one JSON value of the file, not a line
}

// ReadRawLine reads the recorded line of an entry, without its newline. If the file
// changed there it returns session.ErrStale and reloads the session.
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

// ReadRawLines calls fn with the recorded line of each entry, opening the file once. fn
// may keep the line.
func (s *Session) ReadRawLines(ctx context.Context, ps []session.Pos, fn func(i int, line []byte) error) error {
	return s.forEachRawLine(ctx, ps, fn)
}

// forEachRawLine calls fn with the recorded line of each position. fn may keep the
// line.
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
			_, _ = s.Refresh(ctx) // so that watchers learn that the file is gone
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
			return fmt.Errorf("%s: entry %s: %w", s.at.Path, spots[i].id, err)
		}
	}
	return nil
}

// locateLines returns the locations of the lines of entries.
func (s *Session) locateLines(ps []session.Pos) ([]lineLocation, Revision, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	spots := make([]lineLocation, len(ps))
	for i, p := range ps {
		if p < 0 || int(p) >= s.tree.Len() {
			return nil, s.rev, fmt.Errorf("%s: entry at %d: %w", s.at.Path, p, session.ErrNotFound)
		}
		e := s.tree.At(p)
		spots[i] = lineLocation{id: e.ID, span: e.Span, sum: lineHashAt(s.lineChecks(e.Span.File), e.Span.Off), inValue: s.Format().SplitRecords != nil}
	}
	return spots, s.rev, nil
}

// lineChecks returns the checks of one of the session's files.
func (s *Session) lineChecks(file int32) []lineCheck {
	if file == 0 || s.fileSet == nil {
		return s.checks
	}
	return s.fileSet.members[file-1].checks
}

// filePlace returns the place of one of the session's files.
func (s *Session) filePlace(file int32) roots.Place {
	if file == 0 {
		return s.at
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.fileSet.members[file-1].at
}

// lineHashAt returns the hash of the line at off.
func lineHashAt(checks []lineCheck, off int64) uint32 {
	i, ok := slices.BinarySearchFunc(checks, off, func(c lineCheck, off int64) int { return cmp.Compare(c.off, off) })
	if !ok {
		return 0
	}
	return checks[i].sum
}

// readLocatedLine reads the line and verifies it: it must start and end where a line
// does, and its edges, which hold the id, must have the same hash as when it was
// scanned.
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

// verifyLine returns the line without the bytes around it.
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

// openFiles opens the files of a session for one operation, one at a time: entries that
// are read together are mostly in one file.
type openFiles struct {
	s      *Session
	file   *os.File
	number int32 // number of the open file
}

func (o *openFiles) openNumberedFile(file int32) (*os.File, error) {
	if o.file != nil && o.number == file {
		return o.file, nil
	}
	o.closeOpenFile()
	f, _, err := o.s.filePlace(file).OpenFile()
	if err != nil {
		return nil, err
	}
	o.file, o.number = f, file
	return f, nil
}

// readEditedLine reads the line at a location and applies edit to it.
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
