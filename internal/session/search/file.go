package search

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
)

// MayMatchFile reports whether a line of a file may contain all words, however JSON encodes
// them. It does not parse the lines, so a word may be in a key or an id. A file that
// contains letters as \u escapes may contain any word. It adds a file without such escapes
// to plain.
func (q *Words) MayMatchFile(ctx context.Context, f fs.File, path string, plain *PlainFiles) (bool, error) {
	info, err := f.Stat()
	if err != nil {
		return false, err
	}
	ok, err := q.mayMatch(ctx, f, plain.has(path, info))
	if err == nil && !ok { // with such an escape it might match
		plain.add(path, info)
	}
	return ok, err
}

// mayMatch is MayMatchFile for a file that is known to be plain, or may not be.
func (q *Words) mayMatch(ctx context.Context, f io.Reader, isPlain bool) (bool, error) {
	b := bufferPool.Get().(*buffer)
	defer b.returnToPool()
	carry := 0 // bytes of an unfinished line at the start of the buffer
	for {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		n, err := io.ReadFull(f, b.extend(carry, max(blockSize, carry)))
		isLast := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
		if err != nil && !isLast {
			return false, err
		}
		text := b.buf[:carry+n]
		end := bytes.LastIndexByte(text, '\n') + 1
		if isLast {
			end = len(text)
		}
		if q.mayMatchLines(text[:end], isPlain) {
			return true, nil
		}
		if isLast {
			return false, nil
		}
		carry = copy(b.buf, text[end:])
	}
}

// mayMatchLines reports whether one of the lines may contain all words. Most files do not
// have the rarest word, so the lines are first searched as one.
func (q *Words) mayMatchLines(lines []byte, isPlain bool) bool {
	esc := &escapeFinder{buf: lines, next: -1}
	if isPlain {
		esc.next = len(lines)
	}
	if q.missingFromLine(lines, 0, len(lines), esc) != 0 {
		return false
	}
	start := 0
	for line := range bytes.Lines(lines) {
		if q.missingFromLine(lines, start, start+len(line), esc) == 0 {
			return true
		}
		start += len(line)
	}
	return false
}
