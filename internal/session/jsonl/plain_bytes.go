package jsonl

import (
	"encoding/binary"
	"math/bits"
)

const (
	eachByteOne  = 0x0101010101010101
	eachByteHigh = 0x8080808080808080
)

// markSpecialBytes sets the high bit of every byte of w that is a quote, a backslash or a control
// character. It may also set bits above such a byte; the lowest set bit is exact.
//
// Flipping bit 1 puts the quote next to the control characters, so that one subtraction finds both.
func markSpecialBytes(w uint64) uint64 {
	low, slash := (w^eachByteOne*2)-eachByteOne*0x21, (w^eachByteOne*'\\')-eachByteOne
	return (low | slash) & ^w & eachByteHigh
}

// bytesBelow returns a mask of the bytes below the first one that is marked.
func bytesBelow(marks uint64) uint64 { return (marks&-marks)>>7 - 1 }

// skipPlainBytes skips bytes from i on that a string may hold unescaped, and escape sequences of
// two bytes. It stops at any other byte, or near the end. Session files are mostly strings, so it
// checks blocks of 64 bytes where the processor can, then eight bytes at once, and mostly twice eight.
func skipPlainBytes(b []byte, i int) (at int, escaped bool) {
	i, escaped, stopped := skipPlainBlocks(b, i)
	if stopped {
		return i, escaped
	}
	for i >= 0 && i <= len(b)-17 { // one more byte follows a backslash
		m := markSpecialBytes(binary.LittleEndian.Uint64(b[i : i+8]))
		if m == 0 {
			i += 8
			if m = markSpecialBytes(binary.LittleEndian.Uint64(b[i : i+8])); m == 0 {
				i += 8
				continue
			}
		}
		i += bits.TrailingZeros64(m) >> 3
		if b[i] != '\\' || !isShortEscape[b[i+1]] {
			return i, escaped
		}
		escaped = true
		i += 2
	}
	return i, escaped
}

// isShortEscape holds the bytes that end an escape sequence of two bytes.
var isShortEscape = [256]bool{'"': true, '\\': true, '/': true, 'b': true, 'f': true, 'n': true, 'r': true, 't': true}
