package search

import (
	"cmp"
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
	triple triple // the rarest bytes in part, the rarest one first
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
	last := len(order) - 1
	n.triple = newTriple(part, [3]int{order[0], order[min(1, last)], order[min(2, last)]})
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
	for _, i := range n.triple.offset {
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

// unicodeEscape finds \u.
var unicodeEscape = patternOf([]byte(`\u`))

// indexUnicodeEscape returns the index of the first \u, or -1.
func indexUnicodeEscape(b []byte) int {
	for at := 0; ; at += 2 {
		i := unicodeEscape.index(b[at:])
		if i < 0 {
			return -1
		}
		if at += i; b[at+1] == 'u' {
			return at
		}
	}
}

// isControlEscape reports whether an escape is that of a control character, which is in
// no word.
func isControlEscape(digits []byte) bool {
	return len(digits) >= 4 && digits[0] == '0' && digits[1] == '0' && (digits[2] == '0' || digits[2] == '1')
}
