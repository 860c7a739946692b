package store

import (
	"io"
	"sync"
	"sync/atomic"
)

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
	return Progress{Read: c.read.Load(), Size: c.size}, true
}

// activeLoads holds the files that are being read in full.
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

// beginLoad counts the bytes read from f until endLoad is called.
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

// countingReader counts the bytes read from a file.
type countingReader struct {
	f    io.ReaderAt
	size int64
	read atomic.Int64
}

// ReadAt implements io.ReaderAt.
func (c *countingReader) ReadAt(b []byte, off int64) (int, error) {
	n, err := c.f.ReadAt(b, off)
	c.read.Add(int64(n))
	return n, err
}
