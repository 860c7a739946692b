package store

import (
	"io"
	"sync"
	"sync/atomic"
)

// Progress is how far the first reading of a file is.
type Progress struct{ Read, Size int64 }

// Loading tells how far a session is that is being read as a whole; ok is false
// when none at that path is.
func (l *Library) Loading(path string) (p Progress, ok bool) {
	at, err := l.locate(path)
	if err != nil {
		return p, false
	}
	c, ok := l.loads.of(at.path)
	if !ok {
		return p, false
	}
	return Progress{Read: c.read.Load(), Size: c.size}, true
}

// loads knows the files that are being read as a whole.
type loads struct {
	mu     sync.Mutex
	byPath map[string]*counted
}

func (l *loads) of(path string) (*counted, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	c, ok := l.byPath[path]
	return c, ok
}

// begin counts what is read of f until end is called.
func (l *loads) begin(path string, f io.ReaderAt, size int64) *counted {
	c := &counted{f: f, size: size}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.byPath == nil {
		l.byPath = map[string]*counted{}
	}
	l.byPath[path] = c
	return c
}

func (l *loads) end(path string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.byPath, path)
}

// counted is a file of which it is known how many bytes were read.
type counted struct {
	f    io.ReaderAt
	size int64
	read atomic.Int64
}

// ReadAt reads from the file.
func (c *counted) ReadAt(b []byte, off int64) (int, error) {
	n, err := c.f.ReadAt(b, off)
	c.read.Add(int64(n))
	return n, err
}
