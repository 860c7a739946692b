package store

import (
	"context"
	"errors"
	"fmt"
	"io"

	"sessiontree/internal/session"
	"sessiontree/internal/session/roots"
	"sessiontree/internal/session/safefile"
)

// Addition is what was appended to a session file since a checkpoint.
type Addition struct {
	Entries    []session.Entry
	Notes      []session.Note
	Headers    int // number of header lines
	Torn       bool
	Checkpoint Checkpoint
	Bytes      int64  // how many were read
	Unchanged  bool   // nothing was appended; only Checkpoint is set
	Name       string // of the session, by the first lines of the file and the added ones
	UserTitled bool   // the user set or cleared the name
}

// ReadAdded reads what was appended since mark, at a cost in proportion to it. ok is
// false if the file changed in another way: then it must be summarized again.
func (l *Library) ReadAdded(ctx context.Context, path string, mark Checkpoint) (a Addition, ok bool, err error) {
	at, err := l.roots.Locate(path)
	if err != nil {
		return a, false, err
	}
	f, info, err := at.OpenFile()
	if err != nil {
		return a, false, err
	}
	defer f.Close()
	switch v, err := mark.compareFile(f, info); {
	case err != nil:
		return a, false, at.PathError(err)
	case v == fileSame:
		mark.updateFileInfo(info)
		l.related.updateCheckpoint(at.Path, mark)
		return Addition{Checkpoint: mark, Unchanged: true}, true, nil
	case v != fileGrown || mark.Open && !lineEndsAt(f, mark.Off):
		return a, false, nil
	}
	r, err := l.resumeReader(ctx, f, at, mark)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return a, false, nil // it has just been truncated
	}
	if err != nil || r == nil {
		return a, false, err
	}
	if err := r.readTo(ctx, f, info.Size()); err != nil {
		return a, false, fmt.Errorf("%s: %w", at.Path, err)
	}
	a = Addition{Entries: r.allEntries(), Notes: r.notes, Headers: r.headers, Torn: r.torn != nil || r.open, Bytes: info.Size() - mark.Off}
	a.Checkpoint = newCheckpoint(r, info)
	h, _ := r.dec.Header()
	a.Name, a.UserTitled = h.Name, h.UserTitled
	if r.format.RelatesSessions() {
		l.related.addRelated(at.Path, mark, r.format.Graph.Related(r.entries), a.Checkpoint)
	}
	return a, true, nil
}

// resumeReader returns a reader that continues at mark. Its decoder has only seen the
// header. It returns nil if the header is not at the start of the file.
func (l *Library) resumeReader(ctx context.Context, f io.ReaderAt, at roots.Place, mark Checkpoint) (*fileReader, error) {
	format, err := l.sniffFormat(f, at.Path)
	if err != nil {
		return nil, err
	}
	if format.SplitRecords != nil {
		return nil, nil
	}
	r := l.newFileReader(format, at.Path)
	if err := r.readTo(ctx, f, min(mark.Off, sniffSize)); err != nil {
		return nil, fmt.Errorf("%s: %w", at.Path, err)
	}
	if _, ok := r.completedHeader(); !ok {
		return nil, nil
	}
	r.off, r.line, r.open = mark.Off, mark.Line, mark.Open
	n := min(mark.Off, edgeSize)
	r.head, r.tail = make([]byte, n), make([]byte, n)
	if err := errors.Join(safefile.ReadFull(f, r.head, 0), safefile.ReadFull(f, r.tail, mark.Off-n)); err != nil {
		return nil, at.PathError(err)
	}
	return r, nil
}
