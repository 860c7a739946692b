package store

import (
	"fmt"
	"io"
	"io/fs"

	"sessiontree/internal/session"
	"sessiontree/internal/session/safefile"
)

// readWholeValue reads a file that is one JSON value instead of lines.
func (r *fileReader) readWholeValue(f io.ReaderAt, size int64) error {
	if size > int64(r.maxLineSize) {
		return fmt.Errorf("%w: it is one value and %w", session.ErrInvalid, errTooLong)
	}
	file := make([]byte, size)
	if err := safefile.ReadFull(f, file, 0); err != nil {
		return fmt.Errorf("read: %w", err)
	}
	head, records, err := r.format.SplitRecords(file)
	if err != nil {
		return fmt.Errorf("%w: it cannot be read as one value: %w", session.ErrNoSession, err)
	}
	r.dec.DecodeRecord(session.Record{Header: head})
	part := make([]session.Entry, 0, len(records))
	for _, at := range records {
		text := file[at.Off : at.Off+int64(at.Len)]
		s := scannedLine{off: at.Off, len: at.Len, line: at.Line - 1, sum: hashLine(text)}
		s.rec, s.err = r.format.ScanLine(text, r.home)
		part = r.decodeLine(part, &s, 0)
	}
	if len(part) > 0 {
		r.entries = append(r.entries, part)
	}
	r.off, r.line = size, int32(len(records))
	r.rememberEdges(file)
	return nil
}

// isValueRewritten reports whether a file that is one JSON value was written since it
// was read, so that all of it must be read again. The caller holds updateMu.
func (s *Session) isValueRewritten(info fs.FileInfo) bool {
	return s.Format().SplitRecords != nil && (info.Size() != s.checkpoint.Size || info.ModTime().UnixNano() != s.checkpoint.Mtime)
}
