package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"

	"sessiontree/internal/session"
	"sessiontree/internal/session/roots"
)

// sniffSize is how many bytes decide the format of a file.
const sniffSize = 64 << 10

// maxTries is how often a file that changes while it is read is read again.
const maxTries = 4

var headPool = sync.Pool{New: func() any { return new([sniffSize]byte) }}

// sniffFormat returns the format of a file.
func (l *Library) sniffFormat(f io.ReaderAt, path string) (*session.Format, error) {
	head := headPool.Get().(*[sniffSize]byte)
	defer headPool.Put(head)
	buf := head[:]
	n, err := f.ReadAt(buf, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if n == 0 {
		return nil, fmt.Errorf("%s: the file is empty: %w", path, session.ErrNoSession)
	}
	for _, format := range l.formats {
		if format.Sniff(buf[:n]) {
			return format, nil
		}
	}
	return nil, fmt.Errorf("%s: %w: no session header in the first line", path, session.ErrNoSession)
}

// loadedFile is a file that was read from start to end.
type loadedFile struct {
	*fileReader
	header     session.Header
	checkpoint Checkpoint

	fileSet    *fileSet // the other files of the session
	others     [][]session.Entry
	otherNotes []session.Note
}

// readPath reads the whole file at a place. keepLines is set if all its lines are
// remembered.
func (l *Library) readPath(ctx context.Context, at roots.Place, keepLines bool) (*loadedFile, error) {
	f, info, err := at.OpenFile()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return l.readOpenFile(ctx, at, f, info, keepLines)
}

// readOpenFile reads an open file.
func (l *Library) readOpenFile(ctx context.Context, at roots.Place, f *os.File, info fs.FileInfo, keepLines bool) (*loadedFile, error) {
	format, err := l.sniffFormat(f, at.Path)
	if err != nil {
		return nil, err
	}
	return l.readInFormat(ctx, at, format, f, info, keepLines)
}

// readInFormat reads an open file of a known format. If the file is replaced meanwhile
// it is read again, in the format it has then.
func (l *Library) readInFormat(ctx context.Context, at roots.Place, format *session.Format, f *os.File, info fs.FileInfo, keepLines bool) (*loadedFile, error) {
	for try := 1; ; try++ {
		ld, err := l.tryReadFile(ctx, at, format, f, info, keepLines)
		if err != nil {
			return nil, err
		}
		now, err := f.Stat()
		if err != nil {
			return nil, at.PathError(err)
		}
		v, err := ld.checkpoint.compareFile(f, now)
		if err != nil {
			return nil, at.PathError(err)
		}
		if v != fileReplaced || try == maxTries {
			return ld, nil
		}
		info = now
		if format, err = l.sniffFormat(f, at.Path); err != nil {
			return nil, err
		}
	}
}

func (l *Library) tryReadFile(ctx context.Context, at roots.Place, format *session.Format, f *os.File, info fs.FileInfo, keepLines bool) (*loadedFile, error) {
	ld := &loadedFile{fileReader: l.newFileReader(format, at.Path)}
	if keepLines && format.Graph != nil && format.Graph.RetractsLines && l.sidecars != nil {
		ld.history = &lineHistory{}
	}
	counted := l.loads.beginLoad(at.Path, f, info.Size())
	defer l.loads.endLoad(at.Path)
	read := func() error { return ld.readTo(ctx, counted, info.Size()) }
	if format.SplitRecords != nil {
		read = func() error { return ld.readWholeValue(counted, info.Size()) }
	}
	if err := read(); err != nil {
		return nil, fmt.Errorf("%s: %w", at.Path, err)
	}
	var ok bool
	if ld.header, ok = ld.fileReader.completedHeader(); !ok {
		return nil, fmt.Errorf("%s: it has no valid header: %w", at.Path, session.ErrNoSession)
	}
	ld.checkpoint = newCheckpoint(ld.fileReader, info)
	return ld, nil
}
