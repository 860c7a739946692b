package store

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"sync"

	"sessiontree/internal/session"
	"sessiontree/internal/session/roots"
	"sessiontree/internal/session/scan"
)

// maxTries is how often a file that changes while it is read is read again.
const maxTries = 4

// loadedFile is a file that was read from start to end.
type loadedFile struct {
	*scan.Reader
	header     session.Header
	checkpoint scan.Checkpoint

	fileSet    *fileSet // the other files of the session
	others     [][]session.Entry
	otherNotes []session.Note
}

// readOptions say how a whole file is read.
type readOptions struct {
	keepLines bool // all its lines are remembered
	forList   bool // without what no list shows
}

// readPath reads the whole file at a place.
func (l *Library) readPath(ctx context.Context, at roots.Place, o readOptions) (*loadedFile, error) {
	f, info, err := at.OpenFile()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return l.readOpenFile(ctx, at, f, info, o)
}

// readOpenFile reads an open file.
func (l *Library) readOpenFile(ctx context.Context, at roots.Place, f roots.ReadableFile, info fs.FileInfo, o readOptions) (*loadedFile, error) {
	format, err := scan.SniffFormat(l.formats, f, at.Path)
	if err != nil {
		return nil, err
	}
	return l.readInFormat(ctx, at, format, f, info, o)
}

// readInFormat reads an open file of a known format. If the file is replaced meanwhile
// it is read again, in the format it has then.
func (l *Library) readInFormat(ctx context.Context, at roots.Place, format *session.Format, f roots.ReadableFile, info fs.FileInfo, o readOptions) (*loadedFile, error) {
	for try := 1; ; try++ {
		ld, err := l.tryReadFile(ctx, at, format, f, info, o)
		if err != nil {
			return nil, err
		}
		now, err := f.Stat()
		if err != nil {
			return nil, at.PathError(err)
		}
		v, err := ld.checkpoint.CompareFile(f, now)
		if err != nil {
			return nil, at.PathError(err)
		}
		if v != scan.FileReplaced || try == maxTries {
			return ld, nil
		}
		info = now
		if format, err = scan.SniffFormat(l.formats, f, at.Path); err != nil {
			return nil, err
		}
	}
}

func (l *Library) tryReadFile(ctx context.Context, at roots.Place, format *session.Format, f roots.ReadableFile, info fs.FileInfo, o readOptions) (*loadedFile, error) {
	options := l.scanOptions
	options.ForList = o.forList
	ld := &loadedFile{Reader: scan.NewReader(format, at.Path, options)}
	if o.keepLines && format.Graph != nil && format.Graph.RetractsLines && l.stateDir != "" {
		ld.History = &scan.History{}
	}
	counted := l.loads.beginLoad(at.Path, f, info.Size())
	defer l.loads.endLoad(at.Path)
	read := func() error { return ld.ReadTo(ctx, counted, info.Size()) }
	if format.SplitRecords != nil {
		read = func() error { return ld.ReadWholeValue(counted, info.Size()) }
	}
	if err := read(); err != nil {
		return nil, fmt.Errorf("%s: %w", at.Path, err)
	}
	var ok bool
	if ld.header, ok = ld.Reader.CompletedHeader(); !ok {
		return nil, fmt.Errorf("%s: it has no valid header: %w", at.Path, session.ErrNoSession)
	}
	ld.checkpoint = scan.NewCheckpoint(ld.Reader, info)
	return ld, nil
}

// Progress is how far the first reading of a file has come.
type Progress struct{ Read, Size int64 }

// LoadProgress returns the progress of a session that is being read in full; ok is
// false if the session at path is not.
func (l *Library) LoadProgress(path string) (p Progress, ok bool) {
	at, err := l.roots.Locate(path)
	if err != nil {
		return p, false
	}
	c, ok := l.loads.findLoad(at.Path)
	if !ok {
		return p, false
	}
	return Progress{Read: c.BytesRead(), Size: c.Size}, true
}

// activeLoads holds the files that are being read in full.
type activeLoads struct {
	mu      sync.Mutex
	readers map[string]*scan.CountingReader
}

func (l *activeLoads) findLoad(path string) (*scan.CountingReader, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	c, ok := l.readers[path]
	return c, ok
}

// beginLoad counts the bytes read from f until endLoad is called.
func (l *activeLoads) beginLoad(path string, f io.ReaderAt, size int64) *scan.CountingReader {
	c := &scan.CountingReader{File: f, Size: size}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.readers == nil {
		l.readers = map[string]*scan.CountingReader{}
	}
	l.readers[path] = c
	return c
}

func (l *activeLoads) endLoad(path string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.readers, path)
}
