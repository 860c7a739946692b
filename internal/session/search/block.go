package search

import (
	"io"
	"slices"
	"sync"

	"sessiontree/internal/session"
)

// blockSize is how many bytes are read at once.
const blockSize = 256 << 10

// buffer holds the bytes of a block while it is searched.
type buffer struct{ buf []byte }

var bufferPool = sync.Pool{New: func() any { return &buffer{} }}

// extend keeps the first bytes and returns n bytes after them, to be written to.
func (b *buffer) extend(kept, n int) []byte {
	b.buf = slices.Grow(b.buf[:kept], n)[:kept+n]
	return b.buf[kept:]
}

// returnToPool returns a buffer to the pool, unless only one huge line needed it.
func (b *buffer) returnToPool() {
	if cap(b.buf) <= 4*blockSize {
		bufferPool.Put(b)
	}
}

// splitBlocks splits targets into those that are read at once.
func splitBlocks(targets []target) (blocks [][]target) {
	for len(targets) > 0 {
		n := targetsInBlock(targets)
		blocks = append(blocks, targets[:n])
		targets = targets[n:]
	}
	return blocks
}

// targetsInBlock returns how many of the targets are within one block, at least one.
func targetsInBlock(targets []target) int {
	end := targets[0].Span.Off + blockSize
	n := 1
	for n < len(targets) && targets[n].Span.File == targets[0].Span.File && targets[n].Span.Off+int64(targets[n].Span.Len) < end {
		n++
	}
	return n
}

// readBlock reads the lines of adjacent targets into b and sets the words that they cannot
// contain. It returns the bytes and their offset in the file.
func (r *run) readBlock(b *buffer, targets []target) (buf []byte, from int64, err error) {
	first, last := &targets[0].Span, &targets[len(targets)-1].Span
	from = max(first.Off-1, 0)
	n, err := r.src.ReadAt(first.File, b.extend(0, int(last.Off+int64(last.Len)+1-from)), from)
	if err != nil && err != io.EOF {
		return nil, 0, err
	}
	buf = b.buf[:n]
	esc := &escapeFinder{buf: buf, next: -1}
	for i := range targets {
		t := &targets[i]
		start := int(t.Span.Off - from)
		end := start + int(t.Span.Len)
		if end > len(buf) {
			return nil, 0, session.ErrStale
		}
		t.missing = r.query.missingFromLine(buf, start, end, esc)
	}
	return buf, from, nil
}

// decodeTarget returns the body of an entry whose line starts at start. ok is false if the
// line has none.
func (r *run) decodeTarget(buf []byte, start int, t *target) (body session.Body, ok bool, err error) {
	end := start + int(t.Span.Len)
	line, err := t.VerifyLine(buf[max(start-1, 0):min(end+1, len(buf))], min(start, 1))
	if err != nil {
		return session.Body{}, false, err
	}
	body, decodeErr := r.format.DecodeBody(line)
	if decodeErr != nil {
		return session.Body{}, false, nil
	}
	return body, true, nil
}
