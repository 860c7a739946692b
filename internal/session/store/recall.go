package store

import (
	"cmp"
	"slices"

	"sessiontree/internal/session"
)

// maxRecall is how much of a file's text is remembered, in bytes: what is taken back
// mostly stood at its end.
const maxRecall = 64 << 20

// recall is the text of a followed file, as it was read: an agent that takes lines
// back leaves no other copy of them.
type recall struct {
	pieces []piece
	size   int64
}

// piece is whole lines of the file.
type piece struct {
	off  int64
	text []byte
}

// add remembers what was read at off; a nil recall remembers nothing. It answers
// how many bytes more are held.
func (r *recall) add(off int64, text []byte) int64 {
	if r == nil || len(text) == 0 {
		return 0
	}
	before := r.size
	r.pieces = append(r.pieces, piece{off, slices.Clone(text)})
	r.size += int64(len(text))
	for r.size > maxRecall && len(r.pieces) > 1 {
		r.size -= int64(len(r.pieces[0].text))
		r.pieces = slices.Delete(r.pieces, 0, 1)
	}
	return r.size - before
}

// line answers the line at a span, nil when it is not remembered as it was.
func (r *recall) line(span session.Span, sum uint32) []byte {
	i, found := slices.BinarySearchFunc(r.pieces, span.Off, func(p piece, off int64) int { return cmp.Compare(p.off, off) })
	if !found {
		i--
	}
	if i < 0 {
		return nil
	}
	p := &r.pieces[i]
	from := span.Off - p.off
	if from+int64(span.Len) > int64(len(p.text)) {
		return nil
	}
	line := p.text[from : from+int64(span.Len)]
	if lineSum(line) != sum {
		return nil
	}
	return line
}
