package scan

import (
	"cmp"
	"slices"

	"sessiontree/internal/session"
)

// maxHistorySize is how many bytes of a file are remembered: retracted lines mostly
// come from its end.
const maxHistorySize = 64 << 20

// History is the text of a watched file as it was read: an agent that retracts
// lines leaves no other copy.
type History struct {
	pieces []textPiece
	size   int64
}

// textPiece is some whole lines of the file.
type textPiece struct {
	off  int64
	text []byte
}

// addText adds text that was read at off and returns by how many bytes the history
// grew. A nil History keeps nothing.
func (r *History) addText(off int64, text []byte) int64 {
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

// FindLine returns the line at a span, nil if it is no longer in the history or
// has another hash.
func (r *History) FindLine(span session.Span, sum uint32) []byte {
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
