package textcache

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"sessiontree/internal/session/safefile"
)

// RemoveDeleted removes the texts of sessions whose files do not exist any more, not even as
// copies, from the cache and from the disk. It rewrites the file if most of it is out of date.
func (c *Cache) RemoveDeleted(exists func(path string) bool) error {
	if err := c.checkWritable(); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for path := range c.records {
		if exists(path) {
			continue
		}
		if err := c.removeRecord(path); err != nil {
			return err
		}
	}
	if c.used >= c.size/2 {
		return nil
	}
	if err := c.rewrite(); err != nil {
		return fmt.Errorf("cache of texts: %w", err)
	}
	return nil
}

// Remove removes the texts of sessions from the cache and from the disk.
func (c *Cache) Remove(paths ...string) error {
	if err := c.checkWritable(); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, path := range paths {
		if err := c.removeRecord(path); err != nil {
			return err
		}
	}
	return nil
}

// removeRecord erases the record of a session, if there is one. The caller holds the lock.
func (c *Cache) removeRecord(path string) error {
	r, ok := c.records[path]
	if !ok {
		return nil
	}
	if err := r.erase(c.file); err != nil {
		return fmt.Errorf("cache of texts: %w", err)
	}
	c.used -= r.length()
	delete(c.records, path)
	return nil
}

// erase overwrites all of a record but its header, so that the file need not be rewritten when a
// session is deleted. The key is left without a path.
func (r record) erase(f io.WriterAt) error {
	key := slices.Concat([]byte("{}"), bytes.Repeat([]byte(" "), max(0, int(r.keyLength)-2)))
	if _, err := f.WriteAt(key, r.start+headerSize); err != nil {
		return err
	}
	const most = 1 << 20 // bytes at once
	at, end := r.start+headerSize+r.keyLength, r.start+r.length()
	for zeros := make([]byte, min(most, end-at)); at < end; at += int64(len(zeros)) {
		if _, err := f.WriteAt(zeros[:min(int64(len(zeros)), end-at)], at); err != nil {
			return err
		}
	}
	return nil
}

// rewrite replaces the file by one with the current records only. The caller holds the
// lock.
func (c *Cache) rewrite() (err error) {
	f, err := os.CreateTemp(filepath.Dir(c.path), "."+fileName+".*.tmp")
	if err != nil {
		return err
	}
	next := newCache(c.path, f, safefile.TryLock(f))
	defer func() {
		if err != nil {
			err = errors.Join(err, f.Close(), os.Remove(f.Name()))
		}
	}()
	for path, r := range c.records {
		err := next.copyRecord(c.file, path, r)
		if err != nil && !errors.Is(err, errDamaged) {
			return err
		}
	}
	if err := os.Rename(f.Name(), c.path); err != nil {
		return err
	}
	_ = c.file.Close() // after the new file has its name: the lock is never free
	c.file, c.records, c.size, c.used = f, next.records, next.size, next.used
	return nil
}

// copyRecord adds a record of another file.
func (c *Cache) copyRecord(from io.ReaderAt, path string, r record) error {
	var buf Buffer
	if err := r.readFilter(from, &buf); err != nil {
		return err
	}
	blocks := make([][]byte, len(buf.Blocks))
	for i := range blocks {
		var err error
		if blocks[i], err = r.readBlocks(from, buf.Blocks[i:i+1], nil); err != nil {
			return err
		}
	}
	return c.Add(path, r.files, buf.Filter, blocks...)
}
