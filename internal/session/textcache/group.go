package textcache

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
)

// The file is a sequence of groups. A group is the records of sessions that were added together:
// groupHeaderSize bytes (the number of records, and the lengths of their heads and of their texts),
// all heads, and all texts. A search reads the heads of many sessions at once. A later record of a
// session replaces an earlier one.
const groupHeaderSize = 16

// A Batch adds the texts of sessions to a cache in groups.
type Batch struct {
	cache *Cache
	group []Texts
	bytes int // of the group
}

// batchBytes is how many bytes the texts of a group have at most, unless it has one session.
const batchBytes = 1 << 20

// NewBatch returns an empty batch of texts for the cache.
func (c *Cache) NewBatch() *Batch { return &Batch{cache: c} }

// Add adds the texts of a session, some time before the next Flush returns.
func (b *Batch) Add(t Texts) error {
	size := t.size()
	if b.bytes+size > batchBytes {
		if err := b.Flush(); err != nil {
			return err
		}
	}
	b.group, b.bytes = append(b.group, t), b.bytes+size
	return nil
}

// Flush adds what Add has collected to the cache.
func (b *Batch) Flush() error {
	group := b.group
	b.group, b.bytes = nil, 0
	if len(group) == 0 {
		return nil
	}
	return b.cache.Add(group...)
}

// encodeGroup returns the records of a group that begins at a place in the file, and its bytes.
func encodeGroup(start int64, group []Texts) (records []record, b []byte, err error) {
	size := groupHeaderSize
	for i := range group {
		size += group[i].size()
	}
	records, b = make([]record, len(group)), make([]byte, groupHeaderSize, size)
	for i := range group {
		at := start + int64(len(b))
		if records[i], b, err = group[i].appendHead(b); err != nil {
			return nil, nil, err
		}
		records[i].start = at
	}
	headsEnd := len(b)
	for i := range group {
		records[i].headsEnd, records[i].textsStart = start+int64(headsEnd), start+int64(len(b))
		for _, block := range group[i].Blocks {
			b = append(b, block...)
		}
	}
	binary.LittleEndian.PutUint32(b, uint32(len(group)))
	binary.LittleEndian.PutUint32(b[4:], uint32(headsEnd-groupHeaderSize))
	binary.LittleEndian.PutUint64(b[8:], uint64(len(b)-headsEnd))
	return records, b, nil
}

// readRecords finds the records in the file. It ignores what follows a damaged group, such as
// one whose writer was killed.
func (c *Cache) readRecords() error {
	info, err := c.file.Stat()
	if err != nil {
		return err
	}
	buf := bufio.NewReaderSize(nil, windowSize)
	for c.size < info.Size() {
		paths, records, end, err := readGroup(c.file, c.size, info.Size(), buf)
		if errors.Is(err, errDamaged) {
			break
		}
		if err != nil {
			return err
		}
		c.size = end
		for i, path := range paths {
			if path == "" { // it was erased
				continue
			}
			if err := c.setRecord(path, records[i]); err != nil {
				return err
			}
		}
	}
	if c.writable && c.size < info.Size() {
		return c.file.Truncate(c.size)
	}
	return nil
}

// readGroup returns the records of a group, of sessions with these paths, and where it ends.
func readGroup(f io.ReaderAt, start, fileEnd int64, buf *bufio.Reader) (paths []string, records []record, end int64, err error) {
	var header [groupHeaderSize]byte
	r := io.NewSectionReader(f, start, fileEnd-start)
	if _, err := io.ReadFull(r, header[:]); err != nil {
		return nil, nil, 0, damagedIfShort(err)
	}
	count, headsLength := binary.LittleEndian.Uint32(header[:]), int64(binary.LittleEndian.Uint32(header[4:]))
	textsLength := binary.LittleEndian.Uint64(header[8:])
	rest := fileEnd - start - groupHeaderSize - headsLength
	if rest < 0 || textsLength > uint64(rest) {
		return nil, nil, 0, errDamaged
	}
	at, headsEnd := start+groupHeaderSize, start+groupHeaderSize+headsLength
	texts := headsEnd
	buf.Reset(io.LimitReader(r, headsLength))
	for range count {
		path, head, err := readHead(buf)
		if err != nil {
			return nil, nil, 0, damagedIfShort(err)
		}
		head.start, head.headsEnd, head.textsStart = at, headsEnd, texts
		at, texts = at+head.headLength(), texts+head.textsLength
		paths, records = append(paths, path), append(records, head)
	}
	end = headsEnd + int64(textsLength)
	if count == 0 || at != headsEnd || texts != end {
		return nil, nil, 0, errDamaged
	}
	return paths, records, end, nil
}

// damagedIfShort returns errDamaged in place of the errors of readers that end too early.
func damagedIfShort(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errDamaged
	}
	return err
}

// readHead reads the head of a record, without the filter, and the path of its session.
func readHead(b *bufio.Reader) (path string, r record, err error) {
	var header [headerSize]byte
	if _, err := io.ReadFull(b, header[:]); err != nil {
		return "", record{}, err
	}
	number := func(i int) uint32 { return binary.LittleEndian.Uint32(header[4*i:]) }
	r = record{keyLength: number(0), filterLength: number(1), textsLength: int64(number(2)), filterSum: number(3)}
	if r.keyLength == 0 || r.keyLength > maxKeyLength || r.filterLength > maxTextLength || r.textsLength > maxTextLength {
		return "", record{}, errDamaged
	}
	text := make([]byte, r.keyLength)
	if _, err := io.ReadFull(b, text); err != nil {
		return "", record{}, err
	}
	var key recordKey
	if json.Unmarshal(text, &key) != nil {
		return "", record{}, errDamaged
	}
	for i := range key.Files {
		if key.Files[i].Path == key.Path {
			key.Files[i].Path = key.Path // one string in memory rather than two
		}
	}
	r.files = key.Files
	_, err = b.Discard(int(r.filterLength))
	return key.Path, r, err
}
