package search

import "math/bits"

// lowBits has the lowest bit of each byte.
const lowBits = 0x0101010101010101

// triple is three bytes of a word, by which its places are found.
type triple struct {
	offset [3]int // in the word
	bytes  [3]foldedByte
}

// foldedByte is a byte of a word in all bytes of a uint64, with the bit in which the two
// cases of an ASCII letter differ.
type foldedByte struct{ value, caseBit uint64 }

// newTriple returns the bytes of part at three offsets.
func newTriple(part []byte, offset [3]int) (t triple) {
	t.offset = offset
	for i, at := range offset {
		c := part[at]
		t.bytes[i].value = uint64(c) * lowBits
		if 'a' <= c && c <= 'z' {
			t.bytes[i].caseBit = ('a' - 'A') * lowBits
		}
	}
	return t
}

// blockPlaces is how many places findTriple checks at once.
const blockPlaces = 64

// index returns where a line may first contain the word, -1 if it does not.
func (n *Pattern) index(line []byte) int {
	if len(n.part) == 0 {
		return 0
	}
	places := len(line) - len(n.part) + 1
	if places < blockPlaces {
		return n.indexInShortLine(line)
	}
	for i := 0; i < places; i += blockPlaces {
		i = min(i, places-blockPlaces) // the last block may overlap the one before
		skipped, found := findTriple(line[i:], (places-i)/blockPlaces, &n.triple)
		for i += skipped; found != 0; found &= found - 1 {
			if at := i + bits.TrailingZeros64(found); n.matchesAt(line, at) {
				return at
			}
		}
	}
	return -1
}

func (n *Pattern) indexInShortLine(line []byte) int {
	rarest, offset := &n.triple.bytes[0], n.triple.offset[0]
	for i := range len(line) - len(n.part) + 1 {
		if line[i+offset]|byte(rarest.caseBit) == byte(rarest.value) && n.matchesAt(line, i) {
			return i
		}
	}
	return -1
}

// matchesAt reports whether the part of the word is at an offset of a line.
func (n *Pattern) matchesAt(line []byte, start int) bool {
	return equalFoldASCII(line[start:start+len(n.part)], n.part)
}
