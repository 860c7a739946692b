package scan

import (
	"fmt"
	"io"

	"sessiontree/internal/session"
	"sessiontree/internal/session/safefile"
)

// ReadWholeValue reads a file that is one JSON value instead of lines.
func (r *Reader) ReadWholeValue(f io.ReaderAt, size int64) error {
	if size > int64(r.options.MaxLineSize) {
		return fmt.Errorf("%w: it is one value and %w", session.ErrInvalid, ErrTooLong)
	}
	file := make([]byte, size)
	if err := safefile.ReadFull(f, file, 0); err != nil {
		return fmt.Errorf("read: %w", err)
	}
	head, records, err := r.Format.SplitRecords(file)
	if err != nil {
		return fmt.Errorf("%w: it cannot be read as one value: %w", session.ErrNoSession, err)
	}
	r.dec.DecodeRecord(session.Record{Header: head})
	part := make([]session.Entry, 0, len(records))
	for _, at := range records {
		text := file[at.Off : at.Off+int64(at.Len)]
		s := scannedLine{off: at.Off, len: at.Len, line: at.Line - 1, sum: hashLine(text)}
		s.rec, s.err = r.scanLine(text, r.options.Home)
		part = r.decodeLine(part, &s, 0)
	}
	if len(part) > 0 {
		r.Entries = append(r.Entries, part)
	}
	r.off, r.line = size, int32(len(records))
	r.rememberEdges(file)
	return nil
}
