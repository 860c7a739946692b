package store

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"

	"sessiontree/internal/session"
)

// ReadNoteLine reads the recorded line that a note is about. It returns
// session.ErrNotFound if the file has no such line.
func (s *Session) ReadNoteLine(ctx context.Context, n session.Note) ([]byte, error) {
	s.updateMu.Lock()
	mark, ok := s.fileCheckpoint(n.File)
	s.updateMu.Unlock()
	if !ok || n.Line < 1 || n.Line > int(mark.Line)+1 || s.Format().SplitRecords != nil { // the last line may lack its newline
		return nil, fmt.Errorf("%s: line %d of file %d: %w", s.at.Path, n.Line, n.File, session.ErrNotFound)
	}
	at := s.filePlace(int32(n.File))
	near, rev := s.nearestLineCheck(n)
	f, info, err := at.OpenFile()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	switch v, err := mark.compareFile(f, info); {
	case err != nil:
		return nil, at.PathError(err)
	case v == fileReplaced:
		s.reloadUnlessNewer(ctx, rev.Epoch)
		return nil, fmt.Errorf("%s: line %d: %w", at.Path, n.Line, session.ErrStale)
	}
	line, err := readLineAfter(ctx, io.NewSectionReader(f, near.off, info.Size()-near.off), n.Line-int(near.line), s.lib.maxLineSize)
	if err != nil {
		return nil, fmt.Errorf("%s: line %d: %w", at.Path, n.Line, err)
	}
	if near.off == 0 {
		line = bytes.TrimPrefix(line, bom)
	}
	return line, nil
}

// fileCheckpoint returns the checkpoint of one of the session's files; ok is false if
// the file was not read. The caller holds updateMu.
func (s *Session) fileCheckpoint(file int) (m Checkpoint, ok bool) {
	switch {
	case file == 0:
		return s.checkpoint, true
	case file < 0 || s.fileSet == nil || file > len(s.fileSet.members) || s.fileSet.members[file-1].reader == nil:
		return m, false
	}
	return s.fileSet.members[file-1].checkpoint, true
}

// nearestLineCheck returns the check of the last known line at or before the one that a
// note is about.
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

// readLineAfter skips n lines and reads the next one, up to the maximum length.
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
