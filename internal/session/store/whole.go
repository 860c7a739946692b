package store

import (
	"fmt"
	"io"
	"io/fs"

	"sessiontree/internal/session"
)

// whole reads a file that is one value and not lines.
func (r *reading) whole(f io.ReaderAt, size int64) error {
	if size > int64(r.longest) {
		return fmt.Errorf("%w: it is one value and %w", session.ErrInvalid, errTooLong)
	}
	file := make([]byte, size)
	if err := readFull(f, file, 0); err != nil {
		return fmt.Errorf("read: %w", err)
	}
	head, records, err := r.format.Split(file)
	if err != nil {
		return fmt.Errorf("%w: it cannot be read as one value: %w", session.ErrNoSession, err)
	}
	r.dec.Next(session.Record{Header: head})
	part := make([]session.Entry, 0, len(records))
	for _, at := range records {
		text := file[at.Off : at.Off+int64(at.Len)]
		s := scanned{off: at.Off, len: at.Len, line: at.Line - 1, sum: lineSum(text)}
		s.rec, s.bad = r.format.Scan(text, r.home)
		part = r.record(part, &s, 0)
	}
	if len(part) > 0 {
		r.entries = append(r.entries, part)
	}
	r.off, r.line = size, int32(len(records))
	r.keep(file)
	return nil
}

// rewritten reports whether a file that is one value was written since it was
// read: then nothing of it is as it was. The caller has the turn.
func (s *Session) rewritten(info fs.FileInfo) bool {
	return s.Format().Split != nil && (info.Size() != s.mark.Size || info.ModTime().UnixNano() != s.mark.Mtime)
}
