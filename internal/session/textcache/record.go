package textcache

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"slices"

	"sessiontree/internal/session/safefile"
)

// The file is a sequence of records: headerSize bytes (the lengths of the key, of the table with
// the filter, and of the texts, and the checksum of the table with the filter), the key as JSON, the
// number of blocks of the texts, the length and the checksum of each, the filter, and the blocks. A
// later record of a session replaces an earlier one.
const (
	headerSize     = 16
	tableEntrySize = 8
)

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
	files        []FileState
	start        int64 // of the header, in the file
	keyLength    int64
	textsLength  int64
	filterLength uint32 // of the table with the filter
	filterSum    uint32
}

// Block is a part of the texts of a session that can be read alone.
type Block struct {
	start       int64 // in the texts
	length, sum uint32
}

// Start returns where the block begins in the texts.
func (b Block) Start() int { return int(b.start) }

// Len returns the number of bytes of the block.
func (b Block) Len() int { return int(b.length) }

// length returns the bytes of the record in the file, 0 for the zero record.
func (r record) length() int64 {
	if r.keyLength == 0 {
		return 0
	}
	return headerSize + r.keyLength + int64(r.filterLength) + r.textsLength
}

// encodeRecord returns a record and its bytes.
func encodeRecord(path string, files []FileState, filter []byte, blocks [][]byte) (record, []byte, error) {
	key, err := json.Marshal(recordKey{path, files})
	if err != nil {
		return record{}, nil, err
	}
	r := record{files: files, keyLength: int64(len(key))}
	table := binary.LittleEndian.AppendUint32(make([]byte, 0, 4+len(blocks)*tableEntrySize+len(filter)), uint32(len(blocks)))
	for _, b := range blocks {
		r.textsLength += int64(len(b))
		table = binary.LittleEndian.AppendUint32(table, uint32(len(b)))
		table = binary.LittleEndian.AppendUint32(table, crc32.Checksum(b, castagnoli))
	}
	table = append(table, filter...)
	if len(key) > maxKeyLength || len(table) > maxTextLength || r.textsLength > maxTextLength {
		return record{}, nil, fmt.Errorf("texts of %s: too long for the cache", path)
	}
	r.filterLength, r.filterSum = uint32(len(table)), crc32.Checksum(table, castagnoli)
	b := make([]byte, 0, r.length())
	for _, n := range []uint32{uint32(len(key)), r.filterLength, uint32(r.textsLength), r.filterSum} {
		b = binary.LittleEndian.AppendUint32(b, n)
	}
	b = append(append(b, key...), table...)
	for _, block := range blocks {
		b = append(b, block...)
	}
	return r, b, nil
}

// readFilter reads the filter and the table of blocks of a record into buf.
func (r record) readFilter(f io.ReaderAt, buf *Buffer) error {
	buf.bytes, buf.Blocks = slices.Grow(buf.bytes[:0], int(r.filterLength))[:r.filterLength], buf.Blocks[:0]
	if err := safefile.ReadFull(f, buf.bytes, r.start+headerSize+r.keyLength); err != nil {
		return err
	}
	if len(buf.bytes) < 4 || crc32.Checksum(buf.bytes, castagnoli) != r.filterSum {
		return errDamaged
	}
	n, rest := binary.LittleEndian.Uint32(buf.bytes), buf.bytes[4:]
	if int64(n)*tableEntrySize > int64(len(rest)) {
		return errDamaged
	}
	start := int64(0)
	for ; n > 0; n-- {
		b := Block{start: start, length: binary.LittleEndian.Uint32(rest), sum: binary.LittleEndian.Uint32(rest[4:])}
		buf.Blocks, rest, start = append(buf.Blocks, b), rest[tableEntrySize:], start+int64(b.length)
	}
	if start != r.textsLength {
		return errDamaged
	}
	buf.Filter = rest
	return nil
}

// readBlocks returns adjacent blocks of the texts of a record, in buf if that is large enough.
func (r record) readBlocks(f io.ReaderAt, blocks []Block, buf []byte) ([]byte, error) {
	first, last := blocks[0], blocks[len(blocks)-1]
	end := last.start + int64(last.length)
	if end > r.textsLength {
		return buf, errDamaged
	}
	buf = slices.Grow(buf[:0], int(end-first.start))[:end-first.start]
	if err := safefile.ReadFull(f, buf, r.start+headerSize+r.keyLength+int64(r.filterLength)+first.start); err != nil {
		return buf, err
	}
	for _, b := range blocks {
		if crc32.Checksum(buf[b.start-first.start:][:b.length], castagnoli) != b.sum {
			return buf, errDamaged
		}
	}
	return buf, nil
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
		c.size += r.length()
		if path == "" { // it was erased
			continue
		}
		if err := c.setRecord(path, r); err != nil {
			return err
		}
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
	r = record{start: start, keyLength: int64(number(0)), filterLength: number(1), textsLength: int64(number(2)), filterSum: number(3)}
	if r.keyLength == 0 || r.keyLength > maxKeyLength || r.filterLength > maxTextLength || r.textsLength > maxTextLength || r.length() > end-start {
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
