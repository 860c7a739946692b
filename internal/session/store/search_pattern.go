package store

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// queryWords splits a query into its words, case folded.
func queryWords(query string) []string { return strings.Fields(foldCase(query)) }

// foldCase lowers text. Two foreign letters whose small form is a plain English one
// stay as they are: no reader means them, and recorded lines would have to be
// searched for them too.
func foldCase(text string) string {
	return strings.Map(func(r rune) rune {
		if low := unicode.ToLower(r); r < utf8.RuneSelf || low >= utf8.RuneSelf {
			return low
		}
		return r
	}, text)
}

// linePattern finds recorded lines that may hold a word. It looks for the longest
// part of the word that JSON writes in one way only.
type linePattern struct {
	part   []byte // lower case; empty: any line may hold the word
	rarest int    // the byte of part to look for first
}

func newLinePattern(word string) linePattern {
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

// newTextPattern is a needle of the whole word, for decoded text. ok is false when the
// word has letters whose case cannot be told from their bytes.
func newTextPattern(word string) (n linePattern, ok bool) {
	for _, r := range word {
		if r >= utf8.RuneSelf && (r == utf8.RuneError || unicode.SimpleFold(r) != r) {
			return linePattern{}, false
		}
	}
	return patternOf([]byte(word)), true
}

// patternOf makes a needle of a part, to be looked for by its rarest byte.
func patternOf(part []byte) linePattern {
	n := linePattern{part: part}
	for i, c := range part {
		if byteFrequencyRank(c) < byteFrequencyRank(part[n.rarest]) {
			n.rarest = i
		}
	}
	return n
}

// hasOneJSONForm reports whether JSON has one way to write r, but for the case of
// an English letter and \u escapes.
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

// matchesLine reports whether a line may hold the word.
func (n *linePattern) matchesLine(line []byte) bool {
	if len(n.part) == 0 {
		return true
	}
	c := n.part[n.rarest]
	if n.matchesAtByte(line, c) {
		return true
	}
	return 'a' <= c && c <= 'z' && n.matchesAtByte(line, c-'a'+'A')
}

// matchesAtByte looks at the places where c stands for the rare byte.
func (n *linePattern) matchesAtByte(line []byte, c byte) bool {
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

// equalFoldASCII compares text to lower-case text, English letters in any case.
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

// escapeFinder finds the letters that are written as an escape in some lines, where
// words cannot be looked for in their bytes. It is asked from start to end.
type escapeFinder struct {
	buf  []byte
	next int // the first one at or after what was asked last; -1 not looked for
}

// hasEscapeBetween reports whether there is one between start and end.
func (e *escapeFinder) hasEscapeBetween(start, end int) bool {
	for e.next < start {
		i := bytes.Index(e.buf[start:], []byte(`\u`))
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

// isControlEscape reports whether an escape is that of a control character, which is in
// no word.
func isControlEscape(digits []byte) bool {
	return len(digits) >= 4 && digits[0] == '0' && digits[1] == '0' && (digits[2] == '0' || digits[2] == '1')
}
