package store

import (
	"io"
	"sync"
	"sync/atomic"
)

// Progress is how far the first reading of a file is.
type Progress struct{ Read, Size int64 }

// LoadProgress tells how far a session is that is being read as a whole; ok is false
// when none at that path is.
func (l *Library) LoadProgress(path string) (p Progress, ok bool) {
	at, err := l.locatePath(path)
	if err != nil {
		return p, false
	}
	c, ok := l.loads.findLoad(at.path)
	if !ok {
		return p, false
	}
	return Progress{Read: c.read.Load(), Size: c.size}, true
}

// activeLoads knows the files that are being read as a whole.
type activeLoads struct {
	mu      sync.Mutex
	readers map[string]*countingReader
}

func (l *activeLoads) findLoad(path string) (*countingReader, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	c, ok := l.readers[path]
	return c, ok
}

// beginLoad counts what is read of f until end is called.
func (l *activeLoads) beginLoad(path string, f io.ReaderAt, size int64) *countingReader {
	c := &countingReader{f: f, size: size}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.readers == nil {
		l.readers = map[string]*countingReader{}
	}
	l.readers[path] = c
	return c
}

func (l *activeLoads) endLoad(path string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.readers, path)
}

// countingReader is a file of which it is known how many bytes were read.
type countingReader struct {
	f    io.ReaderAt
	size int64
	read atomic.Int64
}

// ReadAt reads from the file.
func (c *countingReader) ReadAt(b []byte, off int64) (int, error) {
	n, err := c.f.ReadAt(b, off)
	c.read.Add(int64(n))
	return n, err
}
