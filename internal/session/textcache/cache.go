// Package textcache stores what people and models wrote in sessions, without the output of
// tools, so that a search for it need not read the session files.
package textcache

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"

	"sessiontree/internal/session/safefile"
)

// fileVersion is the version of the content. It must change with the format of the file and
// with which texts are stored.
const (
	filePrefix  = "texts-"
	fileVersion = 7
)

var fileName = filePrefix + strconv.Itoa(fileVersion)

// ErrReadOnly is returned by changes of a cache that another process writes to.
var ErrReadOnly = errors.New("another process writes to the cache of texts")

// FileState identifies the content of a session file.
type FileState struct {
	Path    string
	Size    int64
	ModTime int64 // in nanoseconds since 1970
	// Version differs between copies of a deleted or remote file with other contents; 0 for a file.
	Version uint64 `json:",omitempty"`
}

// Texts is what is stored of a session.
type Texts struct {
	Path   string
	Files  []FileState // that the texts are of
	Filter []byte      // tells which words the texts may contain
	Blocks [][]byte
}

// size returns how many bytes the filter and the blocks have.
func (t *Texts) size() int {
	n := len(t.Filter)
	for _, b := range t.Blocks {
		n += len(b)
	}
	return n
}

// Cache is the texts of sessions. Its methods may be called by several goroutines.
type Cache struct {
	mu       sync.RWMutex
	loadOnce sync.Once // the records are read when they are first needed
	loadErr  error     // why they could not be read
	path     string
	file     *os.File
	writable bool              // never changes
	updating chan struct{}     // holds an element while texts are updated
	records  map[string]record // by path of the session
	size     int64             // of the file, up to the end of the last valid group
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
	return &Cache{path: path, file: f, records: map[string]record{}, writable: writable, updating: make(chan struct{}, 1)}
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

// LockUpdates waits until nobody else in this process updates texts, so that none are read twice.
func (c *Cache) LockUpdates(ctx context.Context) (unlock func(), err error) {
	select {
	case c.updating <- struct{}{}:
		return func() { <-c.updating }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

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

// ReadFilter reads the filter that was stored with the texts of a session, and where its blocks are.
// It returns false if the texts are not stored, or damaged.
func (c *Cache) ReadFilter(path string, files []FileState, buf *Buffer) (ok bool) {
	return c.readRecord(path, files, func(r record, f *os.File) error { return r.readFilter(f, buf) })
}

// ReadBlocks returns adjacent blocks that ReadFilter has found, in buf if that is large enough. It
// returns false if they are not stored any more, or damaged.
func (c *Cache) ReadBlocks(path string, files []FileState, blocks []Block, buf []byte) (texts []byte, ok bool) {
	ok = c.readRecord(path, files, func(r record, f *os.File) (err error) {
		buf, err = r.readBlocks(f, blocks, buf)
		return err
	})
	return buf, ok
}

func (c *Cache) readRecord(path string, files []FileState, read func(record, *os.File) error) (ok bool) {
	if c.loadRecords() != nil {
		return false
	}
	c.mu.RLock()
	defer c.mu.RUnlock()
	r, ok := c.records[path]
	return ok && slices.Equal(r.files, files) && read(r, c.file) == nil
}

// Add stores the texts of sessions in place of earlier ones, so that they are next to each other.
func (c *Cache) Add(group ...Texts) error {
	if err := c.checkWritable(); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	records, b, err := encodeGroup(c.size, group)
	if err != nil {
		return err
	}
	if _, err := c.file.WriteAt(b, c.size); err != nil {
		return fmt.Errorf("cache of texts: %w", err)
	}
	c.size += int64(len(b))
	for i := range group {
		if err := c.setRecord(group[i].Path, records[i]); err != nil {
			return err
		}
	}
	return nil
}

// setRecord replaces the record of a session, and erases the one before. The caller holds the lock.
func (c *Cache) setRecord(path string, r record) error {
	before := c.records[path]
	c.used += r.length() - before.length()
	c.records[path] = r
	if before.length() == 0 || !c.writable {
		return nil
	}
	return before.erase(c.file)
}
