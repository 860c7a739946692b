package search

import (
	"encoding/binary"
	"math/bits"
)

const lowBits, highBits = 0x0101010101010101, 0x8080808080808080

// zeroBytes sets the highest bit of the first byte of a word that is zero, and perhaps of
// bytes after it, and no bit if no byte is zero.
func zeroBytes(word uint64) uint64 { return (word - lowBits) &^ word & highBits }

// foldedByte is a byte of a word in all bytes of a uint64, with the bit in which the two
// cases of an ASCII letter differ.
type foldedByte struct{ value, caseBit uint64 }

func newFoldedByte(c byte) foldedByte {
	b := foldedByte{value: uint64(c) * lowBits}
	if 'a' <= c && c <= 'z' {
		b.caseBit = ('a' - 'A') * lowBits
	}
	return b
}

// differences returns a uint64 whose bytes are zero where the next eight bytes are equal.
func (f foldedByte) differences(b []byte) uint64 {
	return (binary.LittleEndian.Uint64(b) | f.caseBit) ^ f.value
}

// indexByTriple checks the places where three bytes of the word are, eight places at a time.
func (n *Pattern) indexByTriple(line []byte) int {
	places := len(line) - len(n.part) + 1
	if places <= 0 {
		return -1
	}
	a, b, c := line[n.triple[0]:][:places], line[n.triple[1]:][:places], line[n.triple[2]:][:places]
	fa, fb, fc := newFoldedByte(n.part[n.triple[0]]), newFoldedByte(n.part[n.triple[1]]), newFoldedByte(n.part[n.triple[2]])
	i := 0
	for ; i <= places-16; i += 16 {
		wa, wb, wc := a[i:i+16:i+16], b[i:i+16:i+16], c[i:i+16:i+16]
		x := fa.differences(wa) | fb.differences(wb) | fc.differences(wc)
		y := fa.differences(wa[8:]) | fb.differences(wb[8:]) | fc.differences(wc[8:])
		x, y = zeroBytes(x), zeroBytes(y)
		if x|y == 0 {
			continue
		}
		for ; x != 0; x &= x - 1 {
			if at := i + bits.TrailingZeros64(x)/8; n.matchesAt(line, at) {
				return at
			}
		}
		for ; y != 0; y &= y - 1 {
			if at := i + 8 + bits.TrailingZeros64(y)/8; n.matchesAt(line, at) {
				return at
			}
		}
	}
	for ; i < places; i++ {
		if n.matchesAt(line, i) {
			return i
		}
	}
	return -1
}

// matchesAt reports whether the part of the word is at an offset of a line.
func (n *Pattern) matchesAt(line []byte, start int) bool {
	return equalFoldASCII(line[start:start+len(n.part)], n.part)
}
