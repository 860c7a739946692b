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
)

// headSize is how much of a file decides which format it has.
const headSize = 64 << 10

// tries is how often a file that changes while it is read is read again.
const tries = 4

var heads = sync.Pool{New: func() any { return new([headSize]byte) }}

// sniff answers the format of a file.
func (l *Library) sniff(f io.ReaderAt, path string) (*session.Format, error) {
	head := heads.Get().(*[headSize]byte)
	defer heads.Put(head)
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

// loaded is a file read from its start to its end.
type loaded struct {
	*reading
	header session.Header
	mark   Mark

	joined     *joined // the other files of the session
	others     [][]session.Entry
	otherNotes []session.Note
}

// read reads the whole file at a place.
func (l *Library) read(ctx context.Context, at place) (*loaded, error) {
	f, info, err := at.open()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return l.readFile(ctx, at, f, info)
}

// readFile reads an open file.
func (l *Library) readFile(ctx context.Context, at place, f *os.File, info fs.FileInfo) (*loaded, error) {
	format, err := l.sniff(f, at.path)
	if err != nil {
		return nil, err
	}
	return l.readAs(ctx, at, format, f, info)
}

// readAs reads an open file of a format. When it changes below what was read
// meanwhile, it is read again, in the format that it has then.
func (l *Library) readAs(ctx context.Context, at place, format *session.Format, f *os.File, info fs.FileInfo) (*loaded, error) {
	for try := 1; ; try++ {
		ld, err := l.attempt(ctx, at, format, f, info)
		if err != nil {
			return nil, err
		}
		now, err := f.Stat()
		if err != nil {
			return nil, at.failed(err)
		}
		v, err := ld.mark.compare(f, now)
		if err != nil {
			return nil, at.failed(err)
		}
		if v != replaced || try == tries {
			return ld, nil
		}
		info = now
		if format, err = l.sniff(f, at.path); err != nil {
			return nil, err
		}
	}
}

func (l *Library) attempt(ctx context.Context, at place, format *session.Format, f *os.File, info fs.FileInfo) (*loaded, error) {
	ld := &loaded{reading: l.newReading(format, at.path)}
	if at.followed && format.Rewinds && l.asides != nil {
		ld.seen = &recall{}
	}
	counted := l.loads.begin(at.path, f, info.Size())
	defer l.loads.end(at.path)
	read := func() error { return ld.part(ctx, counted, info.Size()) }
	if format.Split != nil {
		read = func() error { return ld.whole(counted, info.Size()) }
	}
	if err := read(); err != nil {
		return nil, fmt.Errorf("%s: %w", at.path, err)
	}
	var ok bool
	if ld.header, ok = ld.reading.header(); !ok {
		return nil, fmt.Errorf("%s: it has no valid header: %w", at.path, session.ErrNoSession)
	}
	ld.mark = newMark(ld.reading, info)
	return ld, nil
}
