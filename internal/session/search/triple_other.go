//go:build !amd64 && !arm64

package search

import "encoding/binary"

// findTriple searches blocks of 64 places in a line, which has at least as many bytes after them
// as the greatest offset of the triple. It returns where the first block with places begins and a
// bit for each of its places, the first in the lowest bit. If no block has any, it returns the last
// one. It may return places after a place of the triple that are not places.
func findTriple(line []byte, blocks int, t *triple) (at int, places uint64) {
	n := blocks * blockPlaces
	a, b, c := line[t.offset[0]:][:n], line[t.offset[1]:][:n], line[t.offset[2]:][:n]
	for ; ; at += blockPlaces {
		for i := at; i < at+blockPlaces; i += 8 {
			differ := t.bytes[0].differences(a[i:i+8]) | t.bytes[1].differences(b[i:i+8]) | t.bytes[2].differences(c[i:i+8])
			places |= markZeroBytes(differ) << (i - at)
		}
		if places != 0 || at+blockPlaces == n {
			return at, places
		}
	}
}

// differences returns a uint64 whose bytes are zero where the next eight bytes are equal.
func (f *foldedByte) differences(b []byte) uint64 {
	return (binary.LittleEndian.Uint64(b) | f.caseBit) ^ f.value
}

// markZeroBytes returns a bit for the first byte of a word that is zero, and perhaps for bytes
// after it, and none if no byte is zero.
func markZeroBytes(word uint64) uint64 {
	const highBits, gather = 0x8080808080808080, 0x0002040810204081
	return ((word - lowBits) &^ word & highBits) * gather >> 56
}
