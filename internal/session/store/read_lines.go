package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"sessiontree/internal/session"
	"sessiontree/internal/session/blobs"
	"sessiontree/internal/session/roots"
	"sessiontree/internal/session/scan"
)

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
	return bodies[0], err
}

// ReadBodies reads and decodes several entries, opening the file once.
func (s *Session) ReadBodies(ctx context.Context, ps []session.Pos) ([]session.Body, error) {
	format := s.Format()
	bodies := make([]session.Body, len(ps))
	err := s.forEachRawLine(ctx, ps, func(i int, line []byte) (err error) {
		bodies[i], err = format.DecodeBody(line)
		return err
	})
	return bodies, err
}

// ReadRawLines calls fn with the recorded line of each entry, opening the file once. fn
// may keep the line.
func (s *Session) ReadRawLines(ctx context.Context, ps []session.Pos, fn func(i int, line []byte) error) error {
	return s.forEachRawLine(ctx, ps, fn)
}

// forEachRawLine calls fn with the recorded line of each position. fn may keep the line.
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
		f, err := open.openNumberedFile(spots[i].Span.File)
		if err != nil {
			_, _ = s.Refresh(ctx) // so that watchers learn that the file is gone
			return err
		}
		line, err := spots[i].ReadLine(f)
		if errors.Is(err, session.ErrStale) {
			s.reloadUnlessNewer(ctx, rev.Epoch)
			err = cmp.Or(s.FileError(), err) // a file that is no session now would be stale for ever
		}
		if err == nil {
			err = fn(i, line)
		}
		if err != nil {
			return fmt.Errorf("%s: entry %s: %w", s.at.Path, spots[i].ID, err)
		}
	}
	return nil
}

// locateLines returns the locations of the lines of entries.
func (s *Session) locateLines(ps []session.Pos) ([]scan.Location, Revision, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	spots := make([]scan.Location, len(ps))
	for i, p := range ps {
		if p < 0 || int(p) >= s.tree.Len() {
			return nil, s.rev, fmt.Errorf("%s: entry at %d: %w", s.at.Path, p, session.ErrNotFound)
		}
		e := s.tree.At(p)
		spots[i] = scan.Location{ID: e.ID, Span: e.Span, Sum: scan.HashAt(s.lineChecks(e.Span.File), e.Span.Off), InValue: s.Format().SplitRecords != nil}
	}
	return spots, s.rev, nil
}

// lineChecks returns the checks of one of the session's files.
func (s *Session) lineChecks(file int32) []scan.LineCheck {
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

// openFiles opens the files of a session for one operation, one at a time: entries that
// are read together are mostly in one file.
type openFiles struct {
	s      *Session
	file   roots.ReadableFile
	number int32 // number of the open file
}

func (o *openFiles) openNumberedFile(file int32) (roots.ReadableFile, error) {
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

func (o *openFiles) closeOpenFile() {
	if o.file != nil {
		o.file.Close()
		o.file = nil
	}
}

// ReadRequest reads the recorded request of the answer at p. It returns
// session.ErrNotFound if none is recorded.
func (s *Session) ReadRequest(ctx context.Context, p session.Pos) (*session.Request, error) {
	find := s.Format().FindRequest
	if find == nil {
		return nil, fmt.Errorf("%w: %s records no requests", session.ErrNotFound, s.Format().Title)
	}
	var read session.RequestReader
	var err error
	s.ReadTree(func(t *session.Tree, _ Revision) {
		if p < 0 || int(p) >= t.Len() {
			err = session.ErrNotFound
			return
		}
		read, err = find(t, p)
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.at.Path, err)
	}
	return read(func(p session.Pos) ([]byte, error) { return s.ReadRawLine(ctx, p) })
}

// HasRequest reports whether the request of the answer at p is recorded. t is the
// session's tree.
func (s *Session) HasRequest(t *session.Tree, p session.Pos) bool {
	find := s.Format().FindRequest
	if find == nil || p == session.NoPos {
		return false
	}
	_, err := find(t, p)
	return err == nil
}

// ReadBlob reads a blob of the session. The name is 64 lower-case hex digits.
func (s *Session) ReadBlob(ctx context.Context, name string) ([]byte, error) {
	return s.blobDirs().Read(ctx, name)
}

// HasBlob reports whether ReadBlob would find a file, without reading it.
func (s *Session) HasBlob(name string) bool { return s.blobDirs().Has(name) }

func (s *Session) blobDirs() blobs.Dirs {
	d := blobs.Dirs{Session: s.at.Path, Standalone: s.lib.standalone, Files: s.lib.roots}
	if b := s.Format().Blobs; b != nil {
		d.Name = b.Dir
	}
	return d
}
