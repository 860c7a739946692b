package store

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// words splits a query into its words, case folded.
func words(query string) []string { return strings.Fields(fold(query)) }

// fold lowers text. Two foreign letters whose small form is a plain English one
// stay as they are: no reader means them, and recorded lines would have to be
// searched for them too.
func fold(text string) string {
	return strings.Map(func(r rune) rune {
		if low := unicode.ToLower(r); r < utf8.RuneSelf || low >= utf8.RuneSelf {
			return low
		}
		return r
	}, text)
}

// needle finds recorded lines that may hold a word. It looks for the longest
// part of the word that JSON writes in one way only.
type needle struct {
	part []byte // lower case; empty: any line may hold the word
	rare int    // the byte of part to look for first
}

func newNeedle(word string) needle {
	part, start := "", 0
	for i, r := range word + "\\" {
		if writtenOnce(r) {
			continue
		}
		if i-start > len(part) {
			part = word[start:i]
		}
		start = i + utf8.RuneLen(r)
	}
	return pick([]byte(part))
}

// plainly is a needle of the whole word, for decoded text. ok is false when the
// word has letters whose case cannot be told from their bytes.
func plainly(word string) (n needle, ok bool) {
	for _, r := range word {
		if r >= utf8.RuneSelf && (r == utf8.RuneError || unicode.SimpleFold(r) != r) {
			return needle{}, false
		}
	}
	return pick([]byte(word)), true
}

// pick makes a needle of a part, to be looked for by its rarest byte.
func pick(part []byte) needle {
	n := needle{part: part}
	for i, c := range part {
		if common(c) < common(part[n.rare]) {
			n.rare = i
		}
	}
	return n
}

// writtenOnce reports whether JSON has one way to write r, but for the case of
// an English letter and \u escapes.
func writtenOnce(r rune) bool {
	switch {
	case r == utf8.RuneError || r == '"' || r == '\\' || r == '/' || r < ' ':
		return false
	case r < utf8.RuneSelf:
		return true
	}
	return unicode.SimpleFold(r) == r
}

// common ranks bytes by how often they occur in transcripts.
func common(c byte) int {
	const often = "zjqxk#@^~$%&+*;!?'vwybgpfmhdcul0123456789()[]{}<>=|`-_.,:srinoate"
	return strings.IndexByte(often, c)
}

// in reports whether a line may hold the word.
func (n *needle) in(line []byte) bool {
	if len(n.part) == 0 {
		return true
	}
	c := n.part[n.rare]
	if n.with(line, c) {
		return true
	}
	return 'a' <= c && c <= 'z' && n.with(line, c-'a'+'A')
}

// with looks at the places where c stands for the rare byte.
func (n *needle) with(line []byte, c byte) bool {
	for off := n.rare; off < len(line); off++ {
		i := bytes.IndexByte(line[off:], c)
		if i < 0 {
			return false
		}
		off += i
		if start := off - n.rare; start+len(n.part) <= len(line) && equalFold(line[start:start+len(n.part)], n.part) {
			return true
		}
	}
	return false
}

// equalFold compares text to lower-case text, English letters in any case.
func equalFold(text, low []byte) bool {
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

// escapes finds the letters that are written as an escape in some lines, where
// words cannot be looked for in their bytes. It is asked from start to end.
type escapes struct {
	buf  []byte
	next int // the first one at or after what was asked last; -1 not looked for
}

// within reports whether there is one between start and end.
func (e *escapes) within(start, end int) bool {
	for e.next < start {
		i := bytes.Index(e.buf[start:], []byte(`\u`))
		if i < 0 {
			e.next = len(e.buf)
			break
		}
		if start += i; !control(e.buf[start+2:]) {
			e.next = start
		} else {
			start += 2
		}
	}
	return e.next < end
}

// control reports whether an escape is that of a control character, which is in
// no word.
func control(digits []byte) bool {
	return len(digits) >= 4 && digits[0] == '0' && digits[1] == '0' && (digits[2] == '0' || digits[2] == '1')
}
