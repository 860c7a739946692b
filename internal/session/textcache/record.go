package textcache

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"slices"

	"sessiontree/internal/session/safefile"
)

// A record has a head: headerSize bytes (the lengths of the key, of the table with the filter, and of
// the texts, and the checksum of the table with the filter), the key as JSON, the number of blocks of
// the texts, the length and the checksum of each, and the filter. The texts are the blocks.
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
	start        int64 // of the head, in the file
	headsEnd     int64 // of the heads in its group, in the file
	textsStart   int64 // in the file
	textsLength  int64
	keyLength    uint32
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

// filterStart returns where the table with the filter begins in the file.
func (r record) filterStart() int64 { return r.start + headerSize + int64(r.keyLength) }

// headLength returns the bytes of the head.
func (r record) headLength() int64 { return headerSize + int64(r.keyLength) + int64(r.filterLength) }

// length returns the bytes of the record in the file, 0 for the zero record.
func (r record) length() int64 {
	if r.keyLength == 0 {
		return 0
	}
	return r.headLength() + r.textsLength
}

// appendHead appends the head of the record of texts to b, and returns the record without its place.
func (t *Texts) appendHead(b []byte) (record, []byte, error) {
	key, err := json.Marshal(recordKey{t.Path, t.Files})
	if err != nil {
		return record{}, nil, err
	}
	r := record{files: t.Files, keyLength: uint32(len(key))}
	table := binary.LittleEndian.AppendUint32(make([]byte, 0, 4+len(t.Blocks)*tableEntrySize+len(t.Filter)), uint32(len(t.Blocks)))
	for _, block := range t.Blocks {
		r.textsLength += int64(len(block))
		table = binary.LittleEndian.AppendUint32(table, uint32(len(block)))
		table = binary.LittleEndian.AppendUint32(table, crc32.Checksum(block, castagnoli))
	}
	table = append(table, t.Filter...)
	if len(key) > maxKeyLength || len(table) > maxTextLength || r.textsLength > maxTextLength {
		return record{}, nil, fmt.Errorf("texts of %s: too long for the cache", t.Path)
	}
	r.filterLength, r.filterSum = uint32(len(table)), crc32.Checksum(table, castagnoli)
	for _, n := range []uint32{r.keyLength, r.filterLength, uint32(r.textsLength), r.filterSum} {
		b = binary.LittleEndian.AppendUint32(b, n)
	}
	return r, append(append(b, key...), table...), nil
}

// readFilter reads the filter and the table of blocks of a record into buf.
func (r record) readFilter(f *os.File, buf *Buffer) error {
	table, err := buf.read(f, r.filterStart(), int(r.filterLength), r.headsEnd)
	if err != nil {
		return err
	}
	if len(table) < 4 || crc32.Checksum(table, castagnoli) != r.filterSum {
		return errDamaged
	}
	n, rest := binary.LittleEndian.Uint32(table), table[4:]
	if int64(n)*tableEntrySize > int64(len(rest)) {
		return errDamaged
	}
	buf.Blocks = buf.Blocks[:0]
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
	if err := safefile.ReadFull(f, buf, r.textsStart+first.start); err != nil {
		return buf, err
	}
	for _, b := range blocks {
		if crc32.Checksum(buf[b.start-first.start:][:b.length], castagnoli) != b.sum {
			return buf, errDamaged
		}
	}
	return buf, nil
}
