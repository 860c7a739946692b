// Package scan reads the lines of session files: from the start or from a checkpoint, in
// parallel, and with hashes that verify them later.
package scan

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"sync"

	"sessiontree/internal/session"
)

// blockSize is how many bytes are read at once: few enough to stay in the CPU cache
// until they are scanned. A longer line makes its block longer.
const blockSize = 256 << 10

// MaxLineSize is the length of the longest line that is read. Longer lines are skipped:
// one would take the memory of many sessions.
const MaxLineSize = 128 << 20

var hashSeed = maphash.MakeSeed()

func hashBytes(b []byte) uint32 { return uint32(maphash.Bytes(hashSeed, b)) }

// block is a run of whole lines of a file with the scanned records. A line that is too
// long is a block by itself.
type block struct {
	buf     []byte // whole lines; at the end of the file the last may lack its newline
	off     int64  // of buf in the file
	gap     int64  // bytes omitted from a line that is too long, after the first edge of buf
	lines   int32  // newlines in buf
	records []scannedLine
	done    chan struct{} // receives when records are ready
}

// scannedLine is one line that is not blank.
type scannedLine struct {
	rec  session.Record
	err  error
	sum  uint32
	off  int64
	len  int32
	line int32 // counted from 0 in the block
	open bool  // without a newline
	torn bool  // open and incomplete
}

// endOffset returns the offset after the block in the file.
func (b *block) endOffset() int64 { return b.off + int64(len(b.buf)) + b.gap }

var blockPool = sync.Pool{New: func() any { return &block{done: make(chan struct{}, 1)} }}

// returnToPool returns a block to the pool, without a buffer that only one huge line
// needed.
func (b *block) returnToPool() {
	clear(b.records)
	b.records = b.records[:0]
	if cap(b.buf) > 4*blockSize {
		b.buf = nil
	}
	blockPool.Put(b)
}

// blockSource divides a file into blocks.
type blockSource struct {
	f           io.ReaderAt
	off         int64 // of the next byte to read
	end         int64 // where to stop
	maxLineSize int   // in bytes; at least two edges
	carry       []byte
}

// nextBlock fills b with the next whole lines. It returns io.EOF if there are none. The
// last block ends at the end of the file, which may be within a line.
func (s *blockSource) nextBlock(ctx context.Context, b *block) error {
	b.buf, b.gap = append(b.buf[:0], s.carry...), 0
	b.off = s.off - int64(len(s.carry))
	s.carry = s.carry[:0]
	for {
		from := len(b.buf)
		switch {
		case from > s.maxLineSize:
			return s.skipLongLine(ctx, b)
		case s.off >= s.end && from > 0:
			return nil
		case s.off >= s.end:
			return io.EOF
		}
		if err := s.readMore(b, min(max(blockSize-from, from), s.maxLineSize+1-from)); err != nil {
			return err
		}
		if s.off >= s.end && len(b.buf) <= s.maxLineSize {
			continue
		}
		if i := bytes.LastIndexByte(b.buf[from:], '\n'); i >= 0 {
			s.carry = append(s.carry, b.buf[from+i+1:]...)
			b.buf = b.buf[:from+i+1]
			return nil
		}
	}
}

// readMore appends up to n bytes to b.
func (s *blockSource) readMore(b *block, n int) error {
	n = int(min(int64(n), s.end-s.off))
	from := len(b.buf)
	b.buf = growBuffer(b.buf, n)
	got, err := s.f.ReadAt(b.buf[from:], s.off)
	b.buf = b.buf[:from+got]
	s.off += int64(got)
	if got < n {
		s.end = s.off // the file is shorter than expected
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
	}
	return nil
}

// skipLongLine reads to the end of the line in b, which is too long. It keeps only the
// edges of the line, which a checkpoint may need.
func (s *blockSource) skipLongLine(ctx context.Context, b *block) error {
	first, last := b.buf[:edgeSize], b.buf[len(b.buf)-edgeSize:]
	long := int64(len(b.buf))
	b.buf = append(append(make([]byte, 0, blockSize), first...), last...)
	b.gap = long - int64(len(b.buf))
	for s.off < s.end {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := s.readMore(b, blockSize/2); err != nil {
			return err
		}
		i := bytes.IndexByte(b.buf[2*edgeSize:], '\n')
		if i >= 0 {
			s.off -= int64(len(b.buf) - (2*edgeSize + i + 1)) // the following bytes belong to the next block
			b.buf = b.buf[:2*edgeSize+i+1]
		}
		over := len(b.buf) - 2*edgeSize
		b.gap += int64(over)
		b.buf = append(b.buf[:edgeSize], b.buf[edgeSize+over:]...)
		if i >= 0 {
			return nil
		}
	}
	return nil
}

// growBuffer extends b by n bytes.
func growBuffer(b []byte, n int) []byte {
	if cap(b)-len(b) >= n {
		return b[:len(b)+n]
	}
	bigger := make([]byte, len(b)+n)
	copy(bigger, b)
	return bigger
}

// lineScanner is a scanner of a format: see session.Read.ScanLine.
type lineScanner func(line []byte, home string) (session.Record, error)

// scanLines scans the lines of the block.
func (b *block) scanLines(scan lineScanner, home string) {
	b.records, b.lines = b.records[:0], 0
	if b.gap > 0 {
		b.addTooLongLine()
		return
	}
	rest := b.buf
	for len(rest) > 0 {
		line, after, ended := bytes.Cut(rest, newline)
		off := b.off + int64(len(b.buf)-len(rest))
		if off == 0 && bytes.HasPrefix(line, BOM) {
			line, off = line[len(BOM):], int64(len(BOM))
		}
		rest = after
		line = bytes.TrimSuffix(line, carriage)
		if !isBlankLine(line) {
			b.scanBlockLine(scan, home, line, off, ended)
		}
		if ended {
			b.lines++
		}
	}
}

// addTooLongLine adds a record for the only line in the block, which is too long.
// Without a newline it is torn.
func (b *block) addTooLongLine() {
	ended := bytes.HasSuffix(b.buf, newline)
	b.records = append(b.records, scannedLine{err: ErrTooLong, off: b.off, open: !ended, torn: !ended})
	if ended {
		b.lines = 1
	}
}

// scanBlockLine scans one line. A line without a newline is torn unless it is a
// complete record: a record ends with its last brace, so a complete one cannot be the
// start of a longer one.
func (b *block) scanBlockLine(scan lineScanner, home string, line []byte, off int64, ended bool) {
	b.records = append(b.records, scannedLine{off: off, len: int32(len(line)), line: b.lines, open: !ended})
	s := &b.records[len(b.records)-1]
	if !ended && !endsLikeRecord(line) {
		s.torn = true
		return
	}
	s.rec, s.err = scan(line, home)
	s.sum = hashLine(line)
	s.torn = !ended && s.err != nil
}

// ErrTooLong is the error for lines that were skipped because of their length.
var ErrTooLong = fmt.Errorf("it is longer than %d MiB", MaxLineSize>>20)

// BOM is the byte order mark, with which a file may begin.
var BOM = []byte("\xef\xbb\xbf")

var (
	newline  = []byte{'\n'}
	carriage = []byte{'\r'}
)

// isBlankLine reports whether a line is empty or white space.
func isBlankLine(line []byte) bool {
	for _, c := range line {
		if c != ' ' && c != '\t' && c != '\r' {
			return len(bytes.TrimSpace(line)) == 0
		}
	}
	return true
}

// endsLikeRecord reports whether a line ends with a brace, as every record does.
func endsLikeRecord(line []byte) bool {
	line = bytes.TrimRight(line, " \t\r")
	return len(line) > 0 && line[len(line)-1] == '}'
}
