// Package textcache stores what people and models wrote in sessions, without the output of
// tools, so that a search for it need not read the session files.
package textcache

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	"sessiontree/internal/session/safefile"
)

// fileVersion is the version of the content. It must change with the format of the file and
// with which texts are stored.
const (
	filePrefix  = "texts-"
	fileVersion = 3
)

var fileName = filePrefix + strconv.Itoa(fileVersion)

// ErrReadOnly is returned by changes of a cache that another process writes to.
var ErrReadOnly = errors.New("another process writes to the cache of texts")

// FileState identifies the content of a session file.
type FileState struct {
	Path    string
	Size    int64
	ModTime int64 // in nanoseconds since 1970
}

// Cache is the texts of sessions. Its methods may be called by several goroutines.
type Cache struct {
	mu       sync.RWMutex
	loadOnce sync.Once // the records are read when they are first needed
	loadErr  error     // why they could not be read
	path     string
	file     *os.File
	writable bool              // never changes
	records  map[string]record // by path of the session
	size     int64             // of the file, up to the end of the last valid record
	used     int64             // bytes of the records
}

// Open opens the cache in a directory, and creates it if it does not exist. One process at a
// time can write to it: the first one, until it closes the cache. The file is read at the first use.
func Open(dir string) (*Cache, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("cache of texts: %w", err)
	}
	path := filepath.Join(dir, fileName)
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("cache of texts: %w", err)
	}
	c := newCache(path, f, safefile.TryLock(f))
	if c.writable {
		safefile.RemoveEarlierVersions(dir, filePrefix, fileVersion)
	}
	return c, nil
}

// OpenReadOnly opens the cache in a directory, if there is one, to read it.
func OpenReadOnly(dir string) (*Cache, error) {
	path := filepath.Join(dir, fileName)
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("cache of texts: %w", err)
	}
	return newCache(path, f, false), nil
}

func newCache(path string, f *os.File, writable bool) *Cache {
	return &Cache{path: path, file: f, records: map[string]record{}, writable: writable}
}

// loadRecords finds the records in the file, unless that was done before.
func (c *Cache) loadRecords() error {
	c.loadOnce.Do(func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if err := c.readRecords(); err != nil {
			c.loadErr = fmt.Errorf("cache of texts: %w", err)
		}
	})
	return c.loadErr
}

// IsWritable reports whether this process may add texts.
func (c *Cache) IsWritable() bool { return c.writable }

// checkWritable returns why texts cannot be added, or nil.
func (c *Cache) checkWritable() error {
	if !c.writable {
		return ErrReadOnly
	}
	return c.loadRecords()
}

// Close closes the file.
func (c *Cache) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.file.Close()
}

// Has reports whether the texts of a session are stored. files is its files, as they are
// now.
func (c *Cache) Has(path string, files []FileState) bool {
	if c.loadRecords() != nil {
		return false
	}
	c.mu.RLock()
	defer c.mu.RUnlock()
	r, ok := c.records[path]
	return ok && slices.Equal(r.files, files)
}

// Read returns the texts of a session, in buf if that is large enough. It reports false if
// they are not stored, or damaged.
func (c *Cache) Read(path string, files []FileState, buf []byte) (texts []byte, ok bool) {
	return c.readPart(path, files, buf, record.readTexts)
}

// ReadFilter returns the filter that was stored with the texts of a session, as Read does.
func (c *Cache) ReadFilter(path string, files []FileState, buf []byte) (filter []byte, ok bool) {
	return c.readPart(path, files, buf, record.readFilter)
}

func (c *Cache) readPart(path string, files []FileState, buf []byte, read func(record, io.ReaderAt, []byte) ([]byte, error)) (part []byte, ok bool) {
	if c.loadRecords() != nil {
		return buf, false
	}
	c.mu.RLock()
	defer c.mu.RUnlock()
	r, ok := c.records[path]
	if !ok || !slices.Equal(r.files, files) {
		return buf, false
	}
	part, err := read(r, c.file, buf)
	return part, err == nil
}

// Add stores the texts of a session, and what tells which words they may contain, in place of
// earlier ones.
func (c *Cache) Add(path string, files []FileState, filter, texts []byte) error {
	if err := c.checkWritable(); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	r, b, err := encodeRecord(path, files, filter, texts)
	if err != nil {
		return err
	}
	if _, err := c.file.WriteAt(b, c.size); err != nil {
		return fmt.Errorf("cache of texts: %w", err)
	}
	r.start = c.size
	c.size += int64(len(b))
	c.setRecord(path, r)
	return nil
}

// setRecord replaces the record of a session. The caller holds the lock.
func (c *Cache) setRecord(path string, r record) {
	c.used += r.length() - c.records[path].length()
	c.records[path] = r
}

// RemoveDeleted removes the texts of sessions whose files do not exist any more, not even as
// copies, from the cache and from the disk. It also rewrites the file if most of it is out of date.
func (c *Cache) RemoveDeleted(exists func(path string) bool) error {
	if err := c.checkWritable(); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	removed := false
	for path, r := range c.records {
		if !exists(path) {
			c.used -= r.length()
			delete(c.records, path)
			removed = true
		}
	}
	if !removed && c.used >= c.size/2 {
		return nil
	}
	if err := c.rewrite(); err != nil {
		return fmt.Errorf("cache of texts: %w", err)
	}
	return nil
}

// NewFileState returns the state of a file.
func NewFileState(path string, size int64, modified time.Time) FileState {
	return FileState{Path: path, Size: size, ModTime: modified.UnixNano()}
}
