package textcache

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
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
	if err := writeZeros(f, r.filterStart(), int64(r.filterLength)); err != nil {
		return err
	}
	return writeZeros(f, r.textsStart, r.textsLength)
}

// writeZeros overwrites n bytes of a file.
func writeZeros(f io.WriterAt, start, n int64) error {
	const most = 1 << 20 // bytes at once
	for zeros := make([]byte, min(most, n)); n > 0; {
		written := min(n, most)
		if _, err := f.WriteAt(zeros[:written], start); err != nil {
			return err
		}
		start, n = start+written, n-written
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
	if err := next.copyRecords(c); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), c.path); err != nil {
		return err
	}
	_ = c.file.Close() // after the new file has its name: the lock is never free
	c.file, c.records, c.size, c.used = f, next.records, next.size, next.used
	return nil
}

// copyRecords adds the records of another cache, in their order.
func (c *Cache) copyRecords(from *Cache) error {
	paths := slices.SortedFunc(maps.Keys(from.records), func(a, b string) int {
		return cmp.Compare(from.records[a].start, from.records[b].start)
	})
	batch := c.NewBatch()
	for _, path := range paths {
		t, err := readTexts(from.file, path, from.records[path])
		if errors.Is(err, errDamaged) {
			continue
		}
		if err != nil {
			return err
		}
		if err := batch.Add(t); err != nil {
			return err
		}
	}
	return batch.Flush()
}

// readTexts returns all texts of a record, of a session at path.
func readTexts(f *os.File, path string, r record) (Texts, error) {
	r.headsEnd = r.filterStart() + int64(r.filterLength) // no other heads are read
	var buf Buffer
	if err := r.readFilter(f, &buf); err != nil {
		return Texts{}, err
	}
	t := Texts{Path: path, Files: r.files, Filter: buf.Filter, Blocks: make([][]byte, len(buf.Blocks))}
	for i := range t.Blocks {
		var err error
		if t.Blocks[i], err = r.readBlocks(f, buf.Blocks[i:i+1], nil); err != nil {
			return Texts{}, err
		}
	}
	return t, nil
}
