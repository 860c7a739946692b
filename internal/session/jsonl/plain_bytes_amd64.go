package jsonl

import "math/bits"

// findSpecialBytes returns a bit for each byte of a block that is a quote, a backslash or a control
// character, the first byte in the lowest bit. It uses SSE2, which every amd64 processor has.
//
//go:noescape
func findSpecialBytes(block *[64]byte) uint64

// skipPlainBlocks is skipPlainBytes for whole blocks. It reports whether it stopped at another byte.
func skipPlainBlocks(b []byte, i int) (at int, escaped, stopped bool) {
	for i >= 0 && i <= len(b)-65 { // one more byte follows a backslash
		next := 64
		for special := findSpecialBytes((*[64]byte)(b[i:])); special != 0; {
			n := bits.TrailingZeros64(special)
			if b[i+n] != '\\' || !isShortEscape[b[i+n+1]] {
				return i + n, escaped, true
			}
			escaped = true
			special &^= 3 << n // the second byte of the escape may be in the next block
			next = max(next, n+2)
		}
		i += next
	}
	return i, escaped, false
}
