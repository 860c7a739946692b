package jsonl

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// skipPlainBytes stops where checking one byte after the other stops, wherever escapes, other
// special bytes and the ends of blocks are.
func TestSkipPlainBytes(t *testing.T) {
	plain := rapid.Map(rapid.IntRange(0, 70), func(n int) string { return strings.Repeat("a\x7f\xff !\x80", 12)[:n] })
	escape := rapid.SampledFrom([]string{`\"`, `\\`, `\n`, `\/`})
	special := rapid.SampledFrom([]string{`"`, "\x00", "\x1f", "\n", `\u0041`, `\x`})
	part := rapid.OneOf(plain, escape, escape, escape, escape, special)
	rapid.Check(t, func(t *rapid.T) {
		text := []byte(strings.Join(rapid.SliceOfN(part, 0, 60).Draw(t, "parts"), ""))
		from := rapid.IntRange(0, len(text)).Draw(t, "from")
		at, escaped := skipPlainBytes(text, from)
		wantAt, wantEscaped, atEnd := skipOneByOne(text, from, at)
		if atEnd && at < len(text)-17 {
			t.Fatalf("stopped at %d of %d bytes, at no special byte", at, len(text))
		}
		if at != wantAt || escaped != wantEscaped {
			t.Fatalf("stopped at %d, escaped %v, want %d, %v", at, escaped, wantAt, wantEscaped)
		}
	})
}

// skipOneByOne skips like skipPlainBytes, but not past to. It reports whether it got there.
func skipOneByOne(text []byte, i, to int) (at int, escaped, atEnd bool) {
	for i < to {
		switch c := text[i]; {
		case c == '\\' && i+1 < len(text) && isShortEscape[text[i+1]]:
			escaped = true
			i += 2
		case c == '"' || c == '\\' || c < ' ':
			return i, escaped, false
		default:
			i++
		}
	}
	return i, escaped, i >= len(text) || text[i] != '"' && text[i] != '\\' && text[i] >= ' '
}
