package jsonl

import (
	"bytes"
	"iter"
	"unicode"
	"unicode/utf8"
)

// Line is one line of a text.
type Line struct {
	Data []byte // without its end; of line 1 also without what Lines takes off
	Off  int64  // of the first byte of Data
	Num  int32  // counted from 1
	Torn bool   // the last line, without its end
}

// Lines ranges over the lines of the text that are not blank. Blank ones count.
//
// pi trims a file as a whole before it splits it. Of that only the start is done
// here: a byte order mark and white space of any kind are no part of line 1. The
// end is not trimmed, because the next append would undo it.
func Lines(text []byte) iter.Seq[Line] {
	return func(yield func(Line) bool) {
		rest := text
		for num := int32(1); len(rest) > 0; num++ {
			data, after, ended := bytes.Cut(rest, []byte("\n"))
			l := Line{Data: bytes.TrimSuffix(data, []byte("\r")), Off: int64(len(text) - len(rest)), Num: num, Torn: !ended}
			rest = after
			if num == 1 {
				l.trimFileStart()
			}
			if !IsBlankLine(l.Data) && !yield(l) {
				return
			}
		}
	}
}

func (l *Line) trimFileStart() {
	rest := bytes.TrimLeftFunc(l.Data, IsSpace)
	l.Off += int64(len(l.Data) - len(rest))
	l.Data = rest
}

// IsSpace reports whether JavaScript's trim removes r.
func IsSpace(r rune) bool {
	if r < utf8.RuneSelf {
		return r == ' ' || r >= '\t' && r <= '\r'
	}
	return r == 0xFEFF || r == 0x2028 || r == 0x2029 || unicode.Is(unicode.Zs, r)
}

// IsBlankLine reports whether line is nothing but white space.
func IsBlankLine(line []byte) bool {
	return (len(line) == 0 || line[0] <= ' ' || line[0] >= utf8.RuneSelf) && len(bytes.TrimLeftFunc(line, IsSpace)) == 0
}
