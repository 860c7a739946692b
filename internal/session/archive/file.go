package archive

import (
	"container/list"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sort"
	"sync"
)

// cachedSegments is how many decompressed segments an open file has in memory.
const cachedSegments = 6

// SegmentReader reads the segments of an open generation.
type SegmentReader interface {
	// ReadSegment returns the verified bytes of a segment. Several goroutines may call it.
	ReadSegment(n int) ([]byte, error)
	io.Closer
}

// File is an open generation. Its bytes do not change. ReadAt may be called by several
// goroutines.
type File struct {
	path     string
	info     fs.FileInfo
	ends     []int64 // of the segments
	segments SegmentReader

	cacheMu sync.Mutex
	cache   map[int]*list.Element
	recent  *list.List // of *cachedSegment, the last used first

	pos int64
}

// cachedSegment is a segment that is read once, by the first that needs it.
type cachedSegment struct {
	n    int
	once sync.Once
	data []byte
	err  error
}

// NewFile returns a file with segments that end at the given offsets. path is for errors.
func NewFile(path string, info fs.FileInfo, ends []int64, segments SegmentReader) *File {
	return &File{path: path, info: info, ends: ends, segments: segments, cache: map[int]*list.Element{}, recent: list.New()}
}

// Stat returns the info of the original when it was stored, with mode 0600.
func (f *File) Stat() (fs.FileInfo, error) { return f.info, nil }

// Name returns the path of the original.
func (f *File) Name() string { return f.path }

// Close closes the file.
func (f *File) Close() error { return f.segments.Close() }

// Read implements io.Reader.
func (f *File) Read(p []byte) (int, error) {
	n, err := f.ReadAt(p, f.pos)
	f.pos += int64(n)
	if n > 0 && errors.Is(err, io.EOF) {
		err = nil
	}
	return n, err
}

// Seek implements io.Seeker.
func (f *File) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += f.pos
	case io.SeekEnd:
		offset += f.size()
	}
	if offset < 0 {
		return 0, &fs.PathError{Op: "seek", Path: f.path, Err: fs.ErrInvalid}
	}
	f.pos = offset
	return offset, nil
}

// size returns the number of bytes.
func (f *File) size() int64 {
	if len(f.ends) == 0 {
		return 0
	}
	return f.ends[len(f.ends)-1]
}

// ReadAt implements io.ReaderAt.
func (f *File) ReadAt(p []byte, off int64) (n int, err error) {
	if off < 0 {
		return 0, &fs.PathError{Op: "read", Path: f.path, Err: fs.ErrInvalid}
	}
	at := sort.Search(len(f.ends), func(i int) bool { return f.ends[i] > off })
	for ; n < len(p) && at < len(f.ends); at++ {
		start := int64(0)
		if at > 0 {
			start = f.ends[at-1]
		}
		if start == f.ends[at] {
			continue
		}
		data, err := f.readCached(at)
		if err != nil {
			return n, fmt.Errorf("copy of %s: %w", f.path, err)
		}
		n += copy(p[n:], data[off+int64(n)-start:])
	}
	if n < len(p) {
		err = io.EOF
	}
	return n, err
}

// readCached returns the bytes of a segment. Concurrent readers of one segment wait for the
// first of them.
func (f *File) readCached(n int) ([]byte, error) {
	c := f.cachedSegment(n)
	c.once.Do(func() { c.data, c.err = f.segments.ReadSegment(n) })
	if c.err != nil {
		f.dropSegment(n)
	}
	return c.data, c.err
}

// cachedSegment returns the entry of a segment in the cache, and makes it the last used one.
func (f *File) cachedSegment(n int) *cachedSegment {
	f.cacheMu.Lock()
	defer f.cacheMu.Unlock()
	if e, ok := f.cache[n]; ok {
		f.recent.MoveToFront(e)
		return e.Value.(*cachedSegment)
	}
	c := &cachedSegment{n: n}
	f.cache[n] = f.recent.PushFront(c)
	if f.recent.Len() > cachedSegments {
		oldest := f.recent.Remove(f.recent.Back()).(*cachedSegment)
		delete(f.cache, oldest.n)
	}
	return c
}

// dropSegment removes a segment that could not be read, so that it is read again.
func (f *File) dropSegment(n int) {
	f.cacheMu.Lock()
	defer f.cacheMu.Unlock()
	if e, ok := f.cache[n]; ok {
		f.recent.Remove(e)
		delete(f.cache, n)
	}
}
