package store

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"

	"sessiontree/internal/session"
	"sessiontree/internal/session/scan"
)

// ReadNoteLine reads the recorded line that a note is about. It returns
// session.ErrNotFound if the file has no such line.
func (s *Session) ReadNoteLine(ctx context.Context, n session.Note) ([]byte, error) {
	u := s.beginUpdate()
	mark, ok := u.fileCheckpoint(n.File)
	u.End()
	if !ok || n.Line < 1 || n.Line > int(mark.Line)+1 || s.Format().SplitRecords != nil { // the last line may lack its newline
		return nil, fmt.Errorf("%s: line %d of file %d: %w", s.at.Path, n.Line, n.File, session.ErrNotFound)
	}
	at := s.filePlace(int32(n.File))
	s.mu.RLock()
	near, rev := nearestLineCheck(s.lineChecks(int32(n.File)), int32(n.Line)), s.rev
	s.mu.RUnlock()
	f, info, err := at.OpenFile()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	switch v, err := mark.CompareFile(f, info); {
	case err != nil:
		return nil, at.PathError(err)
	case v == scan.FileReplaced:
		s.reloadUnlessNewer(ctx, rev.Epoch)
		return nil, fmt.Errorf("%s: line %d: %w", at.Path, n.Line, session.ErrStale)
	}
	line, err := scan.ReadLineAfter(ctx, io.NewSectionReader(f, near.Off, info.Size()-near.Off), n.Line-int(near.Line), s.lib.scanOptions.MaxLineSize)
	if err != nil {
		return nil, fmt.Errorf("%s: line %d: %w", at.Path, n.Line, err)
	}
	if near.Off == 0 {
		line = bytes.TrimPrefix(line, scan.BOM)
	}
	return line, nil
}

// fileCheckpoint returns the checkpoint of one of the session's files; ok is false if
// the file was not read.
func (u update) fileCheckpoint(file int) (m scan.Checkpoint, ok bool) {
	switch {
	case file == 0:
		return u.s.checkpoint, true
	case file < 0 || u.s.fileSet == nil || file > len(u.s.fileSet.members) || u.s.fileSet.members[file-1].reader == nil:
		return m, false
	}
	return u.s.fileSet.members[file-1].checkpoint, true
}

// nearestLineCheck returns the check of the last known line at or before a line.
func nearestLineCheck(checks []scan.LineCheck, line int32) scan.LineCheck {
	i, _ := slices.BinarySearchFunc(checks, line+1, func(c scan.LineCheck, line int32) int { return cmp.Compare(c.Line, line) })
	if i == 0 {
		return scan.LineCheck{Line: 1}
	}
	return checks[i-1]
}
