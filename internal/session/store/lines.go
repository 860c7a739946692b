package store

import (
	"bytes"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"sync"

	"sessiontree/internal/session"
)

// blockSize is how much is read at once. A longer line makes its block longer.
const blockSize = 1 << 20

// maxLine is where a line ends to be one.
const maxLine = 512 << 20

var seed = maphash.MakeSeed()

func hash32(b []byte) uint32 { return uint32(maphash.Bytes(seed, b)) }

// block is a run of whole lines of a file, and what scanning them gave.
type block struct {
	buf   []byte // whole lines; the last may lack its end at the end of the file
	off   int64  // of buf in the file
	lines int32  // line ends in buf
	recs  []scanned
	done  chan struct{} // receives when recs are ready
}

// scanned is one line that is not blank.
type scanned struct {
	rec  session.Record
	bad  error
	sum  uint32
	off  int64
	len  int32
	line int32 // counted from 0 in the block
	open bool  // without its end
	torn bool  // open, and no whole record
}

var blocks = sync.Pool{New: func() any { return &block{done: make(chan struct{}, 1)} }}

// free gives a block back, without what only one huge line needed.
func (b *block) free() {
	clear(b.recs)
	b.recs = b.recs[:0]
	if cap(b.buf) > 4*blockSize {
		b.buf = nil
	}
	blocks.Put(b)
}

// source cuts a file into blocks.
type source struct {
	f    io.ReaderAt
	off  int64 // of the next byte to read
	end  int64 // where to stop
	rest []byte
}

// next fills b with the next whole lines. It answers io.EOF when there are none
// left; the last block ends where the file ends, be it within a line.
func (s *source) next(b *block) error {
	b.buf = append(b.buf[:0], s.rest...)
	b.off = s.off - int64(len(s.rest))
	s.rest = s.rest[:0]
	for {
		from := len(b.buf)
		want := int(min(int64(max(blockSize, from)), s.end-s.off))
		if want <= 0 {
			if from == 0 {
				return io.EOF
			}
			return nil
		}
		if from > maxLine {
			return fmt.Errorf("a line of more than %d MiB", maxLine>>20)
		}
		b.buf = grow(b.buf, want)
		n, err := s.f.ReadAt(b.buf[from:from+want], s.off)
		b.buf = b.buf[:from+n]
		s.off += int64(n)
		if n < want {
			s.end = s.off // shorter than it was: the end is here
			if err != nil && !errors.Is(err, io.EOF) {
				return err
			}
		}
		if s.off >= s.end {
			continue
		}
		if i := bytes.LastIndexByte(b.buf[from:], '\n'); i >= 0 {
			s.rest = append(s.rest, b.buf[from+i+1:]...)
			b.buf = b.buf[:from+i+1]
			return nil
		}
	}
}

// grow makes room for n more bytes.
func grow(b []byte, n int) []byte {
	if cap(b)-len(b) >= n {
		return b[:len(b)+n]
	}
	bigger := make([]byte, len(b)+n)
	copy(bigger, b)
	return bigger
}

// scan takes the block's lines through the format's scanner.
func (b *block) scan(f *session.Format, home string) {
	b.recs, b.lines = b.recs[:0], 0
	rest := b.buf
	for len(rest) > 0 {
		line, after, ended := bytes.Cut(rest, newline)
		off := b.off + int64(len(b.buf)-len(rest))
		if off == 0 && bytes.HasPrefix(line, bom) {
			line, off = line[len(bom):], int64(len(bom))
		}
		rest = after
		line = bytes.TrimSuffix(line, carriage)
		if !blank(line) {
			b.line(f, home, line, off, ended)
		}
		if ended {
			b.lines++
		}
	}
}

// line scans one line. An open line is torn unless it is a record as it stands:
// a record ends with its last brace, so a whole one cannot be the start of a
// longer one.
func (b *block) line(f *session.Format, home string, line []byte, off int64, ended bool) {
	s := scanned{off: off, len: int32(len(line)), line: b.lines, open: !ended}
	if !ended && !closed(line) {
		s.torn = true
	} else {
		s.rec, s.bad = f.Scan(line, home)
		s.sum = lineSum(line)
		s.torn = !ended && s.bad != nil
	}
	b.recs = append(b.recs, s)
}

var (
	newline  = []byte{'\n'}
	carriage = []byte{'\r'}
	bom      = []byte("\xef\xbb\xbf")
)

// blank reports whether a line holds nothing but white space.
func blank(line []byte) bool {
	for _, c := range line {
		if c != ' ' && c != '\t' && c != '\r' {
			return len(bytes.TrimSpace(line)) == 0
		}
	}
	return true
}

// closed reports whether a line ends like a record.
func closed(line []byte) bool {
	line = bytes.TrimRight(line, " \t\r")
	return len(line) > 0 && line[len(line)-1] == '}'
}
