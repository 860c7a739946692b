package jsonl

import (
	"bytes"
	"iter"
	"unicode"
	"unicode/utf8"
)

// Line is one line of a text.
type Line struct {
	Data []byte // without the line end, and for line 1 without what Lines trims
	Off  int64  // of the first byte of Data
	Num  int32  // counted from 1
	Torn bool   // the last line, which has no line end
}

// Lines iterates over the lines of the text that are not blank. Blank lines count in Num.
//
// pi trims a whole file before it splits it. Lines does so only at the start: a byte order mark and
// any white space are not part of line 1. It does not trim the end, because the next append would
// undo that.
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

// IsBlankLine reports whether line is only white space.
func IsBlankLine(line []byte) bool {
	return (len(line) == 0 || line[0] <= ' ' || line[0] >= utf8.RuneSelf) && len(bytes.TrimLeftFunc(line, IsSpace)) == 0
}
