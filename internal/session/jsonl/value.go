package jsonl

import (
	"encoding/binary"
	"errors"
	"math/bits"
	"strconv"
	"unicode/utf8"
)

// Value is one JSON value as a slice of a line. The zero Value means no value.
type Value struct {
	Raw     []byte // including the quotes of a string
	escaped bool   // a string that has escape sequences
}

// Kind returns the first byte of the value: one of { [ " t f n, 0 for a number, or 'x' for no
// value.
func (v Value) Kind() byte {
	if len(v.Raw) == 0 {
		return 'x'
	}
	return kindOfByte(v.Raw[0])
}

// IsString reports whether v is a string.
func (v Value) IsString() bool { return len(v.Raw) > 0 && v.Raw[0] == '"' }

// Bytes returns the bytes between the quotes of a string, escapes included; nil for other values.
func (v Value) Bytes() []byte {
	if !v.IsString() {
		return nil
	}
	return v.Raw[1 : len(v.Raw)-1]
}

// Is reports whether v is the string s, which must be plain ASCII.
func (v Value) Is(s string) bool {
	if !v.IsString() {
		return false
	}
	if !v.escaped {
		return string(v.Bytes()) == s
	}
	return string(AppendText(nil, v, len(s)+1)) == s
}

// IsTruthy reports whether v is truthy in JavaScript.
func (v Value) IsTruthy() bool {
	switch v.Kind() {
	case 'x', 'n', 'f':
		return false
	case '"':
		return len(v.Raw) > 2
	case 0:
		n, _ := v.Number()
		return n != 0
	}
	return true
}

// Number returns v as a number. Numbers too large for a float64 become infinite, as in JavaScript.
func (v Value) Number() (n float64, ok bool) {
	if v.Kind() != 0 {
		return 0, false
	}
	if n, ok := v.parseShortNumber(); ok {
		return n, true
	}
	n, err := strconv.ParseFloat(string(v.Raw), 64)
	return n, err == nil || errors.Is(err, strconv.ErrRange)
}

// maxCount is more than anything that is counted. Sums of counts do not overflow.
const maxCount = 1 << 40

// Count returns a number as a count, 0 if it cannot be one.
func (v Value) Count() int64 {
	n, _ := v.Number()
	if !(n > 0) || n > maxCount {
		return 0
	}
	return int64(n)
}

// parseShortNumber parses the most common numbers, which have few digits. Their digits and the
// power of ten are exact, so the quotient is rounded correctly.
func (v Value) parseShortNumber() (n float64, ok bool) {
	if len(v.Raw) > len(powersOfTen) {
		return 0, false
	}
	digits, point := int64(0), len(v.Raw)-1
	for i, b := range v.Raw {
		switch {
		case b-'0' <= 9:
			digits = digits*10 + int64(b-'0')
		case b == '.':
			point = i
		default:
			return 0, false
		}
	}
	return float64(digits) / powersOfTen[len(v.Raw)-1-point], true
}

var powersOfTen = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14}

// Unlimited is a limit for AppendText that never cuts.
const Unlimited = int(^uint(0) >> 1)

// AppendText appends the text of the string v, at most limit UTF-16 units of it. Invalid UTF-8 and
// unpaired surrogates become U+FFFD, and a pair that the limit would split is omitted. It appends
// nothing for other values.
func AppendText(dst []byte, v Value, limit int) []byte {
	dst, _ = appendText(dst, v, limit, false)
	return dst
}

// Text returns the whole text of the string v, decoded as by AppendText; "" for other values.
func (v Value) Text() string {
	if b := v.Bytes(); !v.escaped && utf8.Valid(b) {
		return string(b)
	}
	return string(AppendText(make([]byte, 0, len(v.Raw)), v, Unlimited))
}

// AppendTextWithin is AppendText and also returns the unused part of limit.
func AppendTextWithin(dst []byte, v Value, limit int) (out []byte, left int) {
	return appendText(dst, v, limit, false)
}

// AppendID appends the text of the string v as an id. Unpaired surrogates are written as \ud800, so
// that different ids stay different.
func AppendID(dst []byte, v Value) []byte {
	dst, _ = appendText(dst, v, Unlimited, true)
	return dst
}

// appendText appends the text of v. With spelled, unpaired surrogates are written as escapes;
// otherwise they become U+FFFD.
func appendText(dst []byte, v Value, limit int, spelled bool) ([]byte, int) {
	b := v.Bytes()
	for len(b) > 0 && limit > 0 {
		n := countPlainBytes(b, limit)
		dst, b, limit = append(dst, b[:n]...), b[n:], limit-n
		if len(b) == 0 || limit == 0 {
			break
		}
		r, size, single := decodeChar(b)
		units := 1
		if r > 0xFFFF {
			units = 2
		}
		if units > limit {
			return dst, 0
		}
		switch {
		case !single:
			dst = utf8.AppendRune(dst, r)
		case spelled:
			dst = strconv.AppendInt(append(dst, `\u`...), int64(r), 16)
		default:
			dst = append(dst, "\uFFFD"...)
		}
		b, limit = b[size:], limit-units
	}
	return dst, limit
}

// countPlainBytes counts the leading bytes of b that are neither escapes nor multibyte, at most
// limit.
func countPlainBytes(b []byte, limit int) int {
	n, i := min(len(b), limit), 0
	for ; i+8 <= n; i += 8 {
		w := binary.LittleEndian.Uint64(b[i:])
		slash := (w ^ eachByteOne*'\\') - eachByteOne
		if m := (slash | w) & eachByteHigh; m != 0 {
			// Above a hit there may be false ones, below it there are none.
			return i + bits.TrailingZeros64(m)>>3
		}
	}
	for i < n && b[i] != '\\' && b[i] < utf8.RuneSelf {
		i++
	}
	return i
}

// decodeChar decodes one character of a checked string, escaped or not. An unpaired surrogate is
// returned as it is, with single set.
func decodeChar(b []byte) (r rune, size int, single bool) {
	if b[0] != '\\' {
		r, size = utf8.DecodeRune(b)
		return r, size, false
	}
	switch b[1] {
	case 'b':
		return '\b', 2, false
	case 'f':
		return '\f', 2, false
	case 'n':
		return '\n', 2, false
	case 'r':
		return '\r', 2, false
	case 't':
		return '\t', 2, false
	case 'u':
		return decodeUnicodeEscape(b)
	}
	return rune(b[1]), 2, false
}

func decodeUnicodeEscape(b []byte) (r rune, size int, single bool) {
	r = parseHexUnit(b[2:])
	if r < 0xD800 || r > 0xDFFF {
		return r, 6, false
	}
	if r < 0xDC00 && len(b) >= 12 && b[6] == '\\' && b[7] == 'u' {
		if low := parseHexUnit(b[8:]); low >= 0xDC00 && low <= 0xDFFF {
			return (r-0xD800)<<10 + (low - 0xDC00) + 0x10000, 12, false
		}
	}
	return r, 6, true
}

// parseHexUnit parses four hex digits.
func parseHexUnit(b []byte) (r rune) {
	for _, ch := range b[:4] {
		d := ch - '0'
		if d > 9 {
			d = ch | 0x20 - 'a' + 10
		}
		r = r<<4 | rune(d)
	}
	return r
}

// IsBlank reports whether v is no string, or one of only white space.
func (v Value) IsBlank() bool {
	for b := v.Bytes(); len(b) > 0; {
		r, size, _ := decodeChar(b)
		if !IsSpace(r) {
			return false
		}
		b = b[size:]
	}
	return true
}
