package store

import (
	"context"
	"errors"
	"fmt"
	"io"

	"sessiontree/internal/session"
	"sessiontree/internal/session/roots"
	"sessiontree/internal/session/safefile"
	"sessiontree/internal/session/scan"
)

// Addition is what was appended to a session file since a checkpoint.
type Addition struct {
	Format     *session.Format // nil if nothing was appended
	Entries    []session.Entry
	Notes      []session.Note
	Headers    int // number of header lines
	Torn       bool
	Checkpoint scan.Checkpoint
	Bytes      int64  // how many were read
	Unchanged  bool   // nothing was appended; only Checkpoint is set
	Name       string // of the session, by the first lines of the file and the added ones
	UserTitled bool   // the user set or cleared the name
}

// ReadAdded reads what was appended since mark, at a cost in proportion to it. ok is
// false if the file changed in another way: then it must be summarized again.
func (l *Library) ReadAdded(ctx context.Context, path string, mark scan.Checkpoint) (a Addition, ok bool, err error) {
	at, err := l.roots.Locate(path)
	if err != nil {
		return a, false, err
	}
	f, info, err := at.OpenFile()
	if err != nil {
		return a, false, err
	}
	defer f.Close()
	switch v, err := mark.CompareFile(f, info); {
	case err != nil:
		return a, false, at.PathError(err)
	case v == scan.FileSame:
		mark.UpdateFileInfo(info)
		l.related.UpdateCheckpoint(at.Path, mark)
		return Addition{Checkpoint: mark, Unchanged: true}, true, nil
	case v != scan.FileGrown || mark.IsLastLineContinued(f):
		return a, false, nil
	}
	r, err := l.resumeReader(ctx, f, at, mark)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return a, false, nil // it has just been truncated
	}
	if err != nil || r == nil {
		return a, false, err
	}
	if err := r.ReadTo(ctx, f, info.Size()); err != nil {
		return a, false, fmt.Errorf("%s: %w", at.Path, err)
	}
	a = Addition{Format: r.Format, Entries: r.AllEntries(), Notes: r.Notes, Headers: r.Headers, Torn: r.Torn != nil || r.IsOpen(), Bytes: info.Size() - mark.Off}
	a.Checkpoint = scan.NewCheckpoint(r, info)
	h, _ := r.RecordedHeader()
	a.Name, a.UserTitled = h.Name, h.UserTitled
	if r.Format.RelatesSessions() {
		l.related.AddAppended(at.Path, mark, r.Format.Graph.Related(r.Entries), a.Checkpoint)
	}
	return a, true, nil
}

// resumeReader returns a reader that continues at mark. Its decoder has only seen the
// header. It returns nil if the header is not at the start of the file.
func (l *Library) resumeReader(ctx context.Context, f io.ReaderAt, at roots.Place, mark scan.Checkpoint) (*scan.Reader, error) {
	format, err := scan.SniffFormat(l.formats, f, at.Path)
	if err != nil {
		return nil, err
	}
	if format.SplitRecords != nil {
		return nil, nil
	}
	r := scan.NewReader(format, at.Path, l.scanOptions)
	if err := r.ReadTo(ctx, f, min(mark.Off, scan.SniffSize)); err != nil {
		return nil, fmt.Errorf("%s: %w", at.Path, err)
	}
	if _, ok := r.CompletedHeader(); !ok {
		return nil, nil
	}
	if err := r.ResumeAt(f, mark); err != nil {
		return nil, at.PathError(err)
	}
	return r, nil
}

// maxRecordSize limits the lines that ReadRecord reads.
const maxRecordSize = 4 << 20

// ReadRecord reads and decodes one recorded line of the file at path. Errors:
// session.ErrNotFound, session.ErrInvalid if the line is too long, fs errors.
func (l *Library) ReadRecord(path string, format *session.Format, span session.Span) (session.Body, error) {
	at, err := l.roots.Locate(path)
	if err != nil {
		return session.Body{}, err
	}
	if span.Len > maxRecordSize {
		return session.Body{}, fmt.Errorf("%w: %s: a line of %d bytes", session.ErrInvalid, at.Path, span.Len)
	}
	f, _, err := at.OpenFile()
	if err != nil {
		return session.Body{}, err
	}
	defer f.Close()
	line := make([]byte, span.Len)
	if err := safefile.ReadFull(f, line, span.Off); err != nil {
		return session.Body{}, at.PathError(err)
	}
	return format.DecodeBody(line)
}

// ReadMember reads a file that belongs to the session of another file.
func (l *Library) ReadMember(ctx context.Context, path string) (Addition, error) {
	at, err := l.roots.Locate(path)
	if err != nil {
		return Addition{}, err
	}
	ld, err := l.readPath(ctx, at, readOptions{forList: true})
	if err != nil {
		return Addition{}, err
	}
	return Addition{Entries: ld.AllEntries(), Checkpoint: ld.checkpoint, Bytes: ld.checkpoint.Size}, nil
}
