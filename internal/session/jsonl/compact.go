package jsonl

import (
	"math"
	"strconv"
	"unicode/utf8"
)

// AppendCompact appends v as JSON.stringify would write it, at most limit UTF-16 units. more
// reports whether the output was cut; the rest of v is not read then. Keys keep their order.
func AppendCompact(dst []byte, v Value, limit int) (out []byte, more bool) {
	w := compactWriter{dst: dst, left: limit}
	for b := v.Raw; len(b) > 0; {
		switch ch := b[0]; {
		case isJSONSpace(ch):
			b = b[1:]
			continue
		case w.left <= 0:
			return w.dst, true
		case ch == '"':
			b = w.writeString(b)
		case kindOfByte(ch) == 0:
			n := numberLength(b)
			w.writeNumber(b[:n])
			b = b[n:]
		default:
			w.writeASCII(b[:1])
			b = b[1:]
		}
	}
	return w.dst, w.cut
}

// AppendString appends text as JSON.stringify would write it. Invalid UTF-8 becomes U+FFFD.
func AppendString(dst []byte, text string) []byte {
	w := compactWriter{dst: append(dst, '"'), left: Unlimited}
	for _, r := range text {
		w.writeRune(r, false)
	}
	return append(w.dst, '"')
}

type compactWriter struct {
	dst  []byte
	left int
	cut  bool
}

func (w *compactWriter) writeASCII(b []byte) {
	if len(b) > w.left {
		b, w.cut = b[:w.left], true
	}
	w.dst, w.left = append(w.dst, b...), w.left-len(b)
}

// writeString writes the string that b begins with and returns the rest of b.
func (w *compactWriter) writeString(b []byte) []byte {
	w.writeASCII(b[:1])
	for b = b[1:]; b[0] != '"'; {
		if w.left <= 0 {
			w.cut = true
			return nil
		}
		r, size, single := decodeChar(b)
		b = b[size:]
		w.writeRune(r, single)
	}
	w.writeASCII(b[:1])
	return b[1:]
}

func (w *compactWriter) writeRune(r rune, single bool) {
	const letters = "btn\x00fr" // for U+0008 to U+000D
	switch {
	case r == '"' || r == '\\':
		w.writeASCII([]byte{'\\', byte(r)})
	case r >= 8 && r <= 13 && r != 11:
		w.writeASCII([]byte{'\\', letters[r-8]})
	case r < ' ' || single:
		w.writeASCII(append([]byte(`\u`), fourHex(r)...))
	case r > 0xFFFF && w.left == 1:
		w.left, w.cut = 0, true
	default:
		w.dst = utf8.AppendRune(w.dst, r)
		w.left--
		if r > 0xFFFF {
			w.left--
		}
	}
}

func fourHex(r rune) string {
	return strconv.FormatInt(int64(r)|0x10000, 16)[1:]
}

func numberLength(b []byte) int {
	for i, ch := range b {
		switch {
		case kindOfByte(ch) == 0, ch == '.', ch == '+', ch|0x20 == 'e':
		default:
			return i
		}
	}
	return len(b)
}

func (w *compactWriter) writeNumber(b []byte) {
	f, _ := Value{Raw: b}.Number()
	if math.IsInf(f, 0) {
		w.writeASCII([]byte("null"))
		return
	}
	w.writeASCII(AppendNumber(nil, f))
}

// AppendNumber appends f as JavaScript writes numbers.
func AppendNumber(dst []byte, f float64) []byte {
	switch abs := math.Abs(f); {
	case f == 0:
		return append(dst, '0')
	case math.IsInf(f, 1):
		return append(dst, "Infinity"...)
	case math.IsInf(f, -1):
		return append(dst, "-Infinity"...)
	case abs >= 1e-6 && abs < 1e21:
		return strconv.AppendFloat(dst, f, 'f', -1, 64)
	}
	start := len(dst)
	dst = strconv.AppendFloat(dst, f, 'e', -1, 64)
	// Go pads the exponent to two digits, JavaScript does not.
	if n := len(dst); n-4 >= start && dst[n-4] == 'e' && dst[n-2] == '0' {
		dst[n-2], dst = dst[n-1], dst[:n-1]
	}
	return dst
}
