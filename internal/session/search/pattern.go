package search

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
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
	triple [3]int // indexes of the rarest bytes in part, the rarest one first
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

// patternOf returns a pattern that searches for the rarest bytes of part.
func patternOf(part []byte) Pattern {
	n := Pattern{part: part}
	if len(part) == 0 {
		return n
	}
	order := make([]int, len(part))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, k int) int { return cmp.Compare(frequencyOfByte(part[i]), frequencyOfByte(part[k])) })
	for i := range n.triple {
		n.triple[i] = order[min(i, len(order)-1)]
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

// asciiFrequency is how often the characters from space on occur among 100,000 bytes of
// transcripts, letters in either case.
var asciiFrequency = [...]uint16{
	12372, 22, 5292, 185, 28, 4, 15, 185, 457, 455, 245, 98, 1559, 1262, 837, 576, // ! " # $ % & ' ( ) * + , - . /
	1187, 1026, 909, 669, 730, 658, 614, 556, 611, 650, 1938, 138, 109, 370, 141, 31, // 0 1 2 3 4 5 6 7 8 9 : ; < = > ?
	16, 3918, 1113, 2652, 2477, 7186, 1276, 1155, 1426, 3793, 198, 564, 2314, 1841, 5176, 3808, // @ A B C D E F G H I J K L M N O
	2015, 216, 3692, 3936, 6154, 1948, 578, 642, 475, 751, 173, 185, 2857, 179, 12, 781, // P Q R S T U V W X Y Z [ \ ] ^ _
	232, 3918, 1113, 2652, 2477, 7186, 1276, 1155, 1426, 3793, 198, 564, 2314, 1841, 5176, 3808, // ` a b c d e f g h i j k l m n o
	2015, 216, 3692, 3936, 6154, 1948, 578, 642, 475, 751, 173, 412, 67, 409, 9, // p q r s t u v w x y z { | } ~
}

// Frequencies of the bytes of other characters, roughly: many characters of a script have the
// same first byte.
const (
	firstByteFrequency = 3000
	nextByteFrequency  = 500
)

// maxRareFrequency is the frequency up to which a byte is found faster by searching for it
// alone, once for each case.
const maxRareFrequency = 800

// frequencyOfByte returns how often a byte of a case folded word occurs among 100,000 bytes
// of transcripts.
func frequencyOfByte(c byte) int {
	if i := int(c) - ' '; 0 <= i && i < len(asciiFrequency) {
		return int(asciiFrequency[i])
	}
	if utf8.RuneStart(c) {
		return firstByteFrequency
	}
	return nextByteFrequency
}

// rarity orders patterns by how often their rarest bytes occur together, the rarest pattern first.
func (n *Pattern) rarity() int {
	product := 1
	for _, i := range n.triple {
		if i < len(n.part) {
			product *= frequencyOfByte(n.part[i])
		}
	}
	return product
}

// MatchesText reports whether a text contains the word.
func (n *Pattern) MatchesText(text string) bool { return n.matchesLine([]byte(text)) }

// matchesLine reports whether a line may contain the word.
func (n *Pattern) matchesLine(line []byte) bool { return n.index(line) >= 0 }

// index returns where a line may first contain the word, -1 if it does not.
func (n *Pattern) index(line []byte) int {
	if len(n.part) == 0 {
		return 0
	}
	c := n.part[n.triple[0]]
	if frequencyOfByte(c) > maxRareFrequency {
		return n.indexByTriple(line)
	}
	at := n.indexByByte(line, c)
	if c < 'a' || c > 'z' {
		return at
	}
	if at >= 0 {
		line = line[:at+len(n.part)-1] // an earlier place ends before
	}
	if upper := n.indexByByte(line, c-'a'+'A'); upper >= 0 {
		return upper
	}
	return at
}

// indexByByte checks the places where c is at the index of the rarest byte.
func (n *Pattern) indexByByte(line []byte, c byte) int {
	for start := 0; start+len(n.part) <= len(line); start++ {
		rest := line[start+n.triple[0] : len(line)-len(n.part)+n.triple[0]+1]
		i := bytes.IndexByte(rest, c)
		if i < 0 {
			return -1
		}
		if start += i; n.matchesAt(line, start) {
			return start
		}
	}
	return -1
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
		first := (binary.LittleEndian.Uint64(c) ^ backslashes) | (binary.LittleEndian.Uint64(c[1:]) ^ us)
		second := (binary.LittleEndian.Uint64(c[8:]) ^ backslashes) | (binary.LittleEndian.Uint64(c[9:]) ^ us)
		if zeroBytes(first)|zeroBytes(second) != 0 {
			break
		}
	}
	if j := bytes.Index(b[i:], []byte(`\u`)); j >= 0 {
		return i + j
	}
	return -1
}

// isControlEscape reports whether an escape is that of a control character, which is in
// no word.
func isControlEscape(digits []byte) bool {
	return len(digits) >= 4 && digits[0] == '0' && digits[1] == '0' && (digits[2] == '0' || digits[2] == '1')
}
