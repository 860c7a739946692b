package textcache

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"slices"

	"sessiontree/internal/session/safefile"
)

// The file is a sequence of records: headerSize bytes (the lengths of the key, the filter and
// the texts, and the checksums of the last two), the key as JSON, the filter and the texts. A
// later record of a session replaces an earlier one.
const headerSize = 20

// Limits of the lengths in a header.
const (
	maxKeyLength  = 16 << 20
	maxTextLength = 1 << 30 // also of filters
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

var errDamaged = errors.New("damaged record")

// recordKey is the JSON in a record.
type recordKey struct {
	Path  string // of the session
	Files []FileState
}

// record is where the texts of a session are.
type record struct {
	files         []FileState
	start         int64 // of the header, in the file
	keyLength     int64
	filter, texts part
}

// part is the length and the checksum of a part of a record.
type part struct{ length, sum uint32 }

func newPart(b []byte) part { return part{uint32(len(b)), crc32.Checksum(b, castagnoli)} }

// read returns the bytes of the part, which starts at an offset, in buf if that is large
// enough.
func (p part) read(f io.ReaderAt, start int64, buf []byte) ([]byte, error) {
	buf = slices.Grow(buf[:0], int(p.length))[:p.length]
	if p.length == 0 {
		return buf, nil
	}
	if err := safefile.ReadFull(f, buf, start); err != nil {
		return buf, err
	}
	if crc32.Checksum(buf, castagnoli) != p.sum {
		return buf, errDamaged
	}
	return buf, nil
}

// length returns the bytes of the record in the file, 0 for the zero record.
func (r record) length() int64 {
	if r.keyLength == 0 {
		return 0
	}
	return headerSize + r.keyLength + int64(r.filter.length) + int64(r.texts.length)
}

// encodeRecord returns a record and its bytes.
func encodeRecord(path string, files []FileState, filter, texts []byte) (record, []byte, error) {
	key, err := json.Marshal(recordKey{path, files})
	if err != nil {
		return record{}, nil, err
	}
	if len(key) > maxKeyLength || len(filter) > maxTextLength || len(texts) > maxTextLength {
		return record{}, nil, fmt.Errorf("texts of %s: too long for the cache", path)
	}
	r := record{files: files, keyLength: int64(len(key)), filter: newPart(filter), texts: newPart(texts)}
	b := make([]byte, 0, r.length())
	for _, n := range []uint32{uint32(len(key)), r.filter.length, r.texts.length, r.filter.sum, r.texts.sum} {
		b = binary.LittleEndian.AppendUint32(b, n)
	}
	return r, slices.Concat(b, key, filter, texts), nil
}

// readFilter returns the filter of a record, in buf if that is large enough.
func (r record) readFilter(f io.ReaderAt, buf []byte) ([]byte, error) {
	return r.filter.read(f, r.start+headerSize+r.keyLength, buf)
}

// readTexts returns the texts of a record, in buf if that is large enough.
func (r record) readTexts(f io.ReaderAt, buf []byte) ([]byte, error) {
	return r.texts.read(f, r.start+headerSize+r.keyLength+int64(r.filter.length), buf)
}

// readRecords finds the records in the file. It ignores what follows a damaged one, such as
// one whose writer was killed.
func (c *Cache) readRecords() error {
	info, err := c.file.Stat()
	if err != nil {
		return err
	}
	for c.size < info.Size() {
		path, r, err := readRecord(c.file, c.size, info.Size())
		if errors.Is(err, errDamaged) {
			break
		}
		if err != nil {
			return err
		}
		c.setRecord(path, r)
		c.size += r.length()
	}
	if c.writable && c.size < info.Size() {
		return c.file.Truncate(c.size)
	}
	return nil
}

// readRecord reads a record without its texts.
func readRecord(f io.ReaderAt, start, end int64) (path string, r record, err error) {
	var header [headerSize]byte
	if end-start < headerSize {
		return "", record{}, errDamaged
	}
	if err := safefile.ReadFull(f, header[:], start); err != nil {
		return "", record{}, err
	}
	number := func(i int) uint32 { return binary.LittleEndian.Uint32(header[4*i:]) }
	r = record{start: start, keyLength: int64(number(0)), filter: part{number(1), number(3)}, texts: part{number(2), number(4)}}
	if r.keyLength == 0 || r.keyLength > maxKeyLength || r.filter.length > maxTextLength || r.texts.length > maxTextLength || r.length() > end-start {
		return "", record{}, errDamaged
	}
	text := make([]byte, r.keyLength)
	if err := safefile.ReadFull(f, text, start+headerSize); err != nil {
		return "", record{}, err
	}
	var key recordKey
	if json.Unmarshal(text, &key) != nil {
		return "", record{}, errDamaged
	}
	r.files = key.Files
	return key.Path, r, nil
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
		filter, filterErr := r.readFilter(c.file, nil)
		texts, err := r.readTexts(c.file, nil)
		if err = errors.Join(filterErr, err); errors.Is(err, errDamaged) {
			continue
		}
		if err != nil {
			return err
		}
		if err := next.Add(path, r.files, filter, texts); err != nil {
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
