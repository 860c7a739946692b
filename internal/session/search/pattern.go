package search

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode"
	"unicode/utf8"
)

// queryWords returns the words of a query, case folded.
func queryWords(query string) []string { return strings.Fields(FoldCase(query)) }

// FoldCase converts text to lower case, except for the two non-ASCII letters whose lower
// case is ASCII. Nobody searches for them, and recorded lines would have to be searched
// for them too.
func FoldCase(text string) string {
	return strings.Map(func(r rune) rune {
		if low := unicode.ToLower(r); r < utf8.RuneSelf || low >= utf8.RuneSelf {
			return low
		}
		return r
	}, text)
}

// Pattern finds a word in text, or recorded lines that may contain it: for these it
// searches for the longest part of the word that JSON can only encode in one way.
type Pattern struct {
	part   []byte // lower case; empty: any line may contain the word
	rarest int    // index of the byte in part to search for first
}

func newLinePattern(word string) Pattern {
	part, start := "", 0
	for i, r := range word + "\\" {
		if hasOneJSONForm(r) {
			continue
		}
		if i-start > len(part) {
			part = word[start:i]
		}
		start = i + utf8.RuneLen(r)
	}
	return patternOf([]byte(part))
}

// NewTextPattern returns a pattern of the whole word, for decoded text. ok is false if
// the word has letters whose case is not visible in single bytes.
func NewTextPattern(word string) (n Pattern, ok bool) {
	for _, r := range word {
		if r >= utf8.RuneSelf && (r == utf8.RuneError || unicode.SimpleFold(r) != r) {
			return Pattern{}, false
		}
	}
	return patternOf([]byte(word)), true
}

// patternOf returns a pattern that searches for the rarest byte of part.
func patternOf(part []byte) Pattern {
	n := Pattern{part: part}
	for i, c := range part {
		if byteFrequencyRank(c) < byteFrequencyRank(part[n.rarest]) {
			n.rarest = i
		}
	}
	return n
}

// hasOneJSONForm reports whether JSON encodes r in one way only, apart from the case of
// ASCII letters and \u escapes.
func hasOneJSONForm(r rune) bool {
	switch {
	case r == utf8.RuneError || r == '"' || r == '\\' || r == '/' || r < ' ':
		return false
	case r < utf8.RuneSelf:
		return true
	}
	return unicode.SimpleFold(r) == r
}

// byteFrequencyRank ranks bytes by how often they occur in transcripts.
func byteFrequencyRank(c byte) int {
	const often = "zjqxk#@^~$%&+*;!?'vwybgpfmhdcul0123456789()[]{}<>=|`-_.,:srinoate"
	return strings.IndexByte(often, c)
}

// MatchesText reports whether a text contains the word.
func (n *Pattern) MatchesText(text string) bool { return n.matchesLine([]byte(text)) }

// matchesLine reports whether a line may contain the word.
func (n *Pattern) matchesLine(line []byte) bool {
	if len(n.part) == 0 {
		return true
	}
	c := n.part[n.rarest]
	if n.matchesAtByte(line, c) {
		return true
	}
	return 'a' <= c && c <= 'z' && n.matchesAtByte(line, c-'a'+'A')
}

// matchesAtByte checks the places where c is at the index of the rarest byte.
func (n *Pattern) matchesAtByte(line []byte, c byte) bool {
	for off := n.rarest; off < len(line); off++ {
		i := bytes.IndexByte(line[off:], c)
		if i < 0 {
			return false
		}
		off += i
		if start := off - n.rarest; start+len(n.part) <= len(line) && equalFoldASCII(line[start:start+len(n.part)], n.part) {
			return true
		}
	}
	return false
}

// equalFoldASCII reports whether text equals low, which is lower case, ignoring the
// case of ASCII letters.
func equalFoldASCII(text, low []byte) bool {
	for i, c := range text {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != low[i] {
			return false
		}
	}
	return true
}

// escapeFinder finds \u escapes in lines, in which words cannot be searched as bytes.
// It is called with ascending ranges.
type escapeFinder struct {
	buf  []byte
	next int // offset of the first escape at or after the last range; -1 unknown
}

// hasEscapeBetween reports whether there is an escape between start and end.
func (e *escapeFinder) hasEscapeBetween(start, end int) bool {
	for e.next < start {
		i := indexUnicodeEscape(e.buf[start:])
		if i < 0 {
			e.next = len(e.buf)
			break
		}
		if start += i; !isControlEscape(e.buf[start+2:]) {
			e.next = start
		} else {
			start += 2
		}
	}
	return e.next < end
}

// indexUnicodeEscape returns the index of the first \u, or -1. Transcripts have so many
// backslashes that eight bytes at a time are twice as fast as bytes.Index.
func indexUnicodeEscape(b []byte) int {
	const backslashes, us = 0x5c5c5c5c5c5c5c5c, 0x7575757575757575
	i := 0
	for ; len(b)-i > 16; i += 16 {
		c := b[i : i+17 : i+17]
		first := binary.LittleEndian.Uint64(c) ^ backslashes | binary.LittleEndian.Uint64(c[1:]) ^ us
		second := binary.LittleEndian.Uint64(c[8:]) ^ backslashes | binary.LittleEndian.Uint64(c[9:]) ^ us
		if hasZeroByte(first) || hasZeroByte(second) {
			break
		}
	}
	if j := bytes.Index(b[i:], []byte(`\u`)); j >= 0 {
		return i + j
	}
	return -1
}

func hasZeroByte(word uint64) bool {
	return (word-0x0101010101010101)&^word&0x8080808080808080 != 0
}

// isControlEscape reports whether an escape is that of a control character, which is in
// no word.
func isControlEscape(digits []byte) bool {
	return len(digits) >= 4 && digits[0] == '0' && digits[1] == '0' && (digits[2] == '0' || digits[2] == '1')
}
