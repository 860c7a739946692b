package store

import (
	"cmp"
	"slices"

	"sessiontree/internal/session"
)

// maxHistorySize is how much of a file's text is remembered, in bytes: what is taken back
// mostly stood at its end.
const maxHistorySize = 64 << 20

// lineHistory is the text of a followed file, as it was read: an agent that takes lines
// back leaves no other copy of them.
type lineHistory struct {
	pieces []textPiece
	size   int64
}

// textPiece is whole lines of the file.
type textPiece struct {
	off  int64
	text []byte
}

// addHistory remembers what was read at off; a nil recall remembers nothing. It answers
// how many bytes more are held.
func (r *lineHistory) addHistory(off int64, text []byte) int64 {
	if r == nil || len(text) == 0 {
		return 0
	}
	before := r.size
	r.pieces = append(r.pieces, textPiece{off, slices.Clone(text)})
	r.size += int64(len(text))
	for r.size > maxHistorySize && len(r.pieces) > 1 {
		r.size -= int64(len(r.pieces[0].text))
		r.pieces = slices.Delete(r.pieces, 0, 1)
	}
	return r.size - before
}

// findHistoryLine answers the line at a span, nil when it is not remembered as it was.
func (r *lineHistory) findHistoryLine(span session.Span, sum uint32) []byte {
	i, found := slices.BinarySearchFunc(r.pieces, span.Off, func(p textPiece, off int64) int { return cmp.Compare(p.off, off) })
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
	if hashLine(line) != sum {
		return nil
	}
	return line
}
