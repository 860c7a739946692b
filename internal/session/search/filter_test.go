package search

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// A filter excludes no text that a search finds.
func TestMayMatchFilter_NoFalseNegatives(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		part := rapid.StringOf(rapid.OneOf(rapid.Rune(), rapid.RuneFrom([]rune("aAbBkKſKİıßẞΣσςéÉ日本\x1e\n\"\\\ufffd"))))
		text := []byte(strings.Repeat("filler ", minFilteredText/7+1) + part.Draw(r, "text"))
		if rapid.Bool().Draw(r, "isBroken") {
			text = append(text, rapid.SliceOf(rapid.Byte()).Draw(r, "bytes")...)
		}
		from := rapid.IntRange(0, len(text)).Draw(r, "from")
		query := string(text[from:rapid.IntRange(from, len(text)).Draw(r, "to")])
		if rapid.Bool().Draw(r, "isUpper") {
			query = strings.ToUpper(query)
		}
		words, err := ParseWords(query)
		if err != nil {
			return // too many words
		}
		if words.missingFromText(text) == 0 && !words.MayMatchFilter(NewFilter(text)) {
			r.Errorf("the filter excludes %q", query)
		}
	})
}

// A filter excludes most texts without a word.
func TestMayMatchFilter_Excludes(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&text, "prompt %d about sessions, trees and branches; ", i)
	}
	filter := NewFilter([]byte(text.String()))
	if len(filter)*textBytesPerFilterByte > text.Len() {
		t.Errorf("a filter of %d bytes for %d", len(filter), text.Len())
	}
	for _, c := range []struct {
		query string
		want  bool
	}{
		{"kumquat", false}, {"SESSIONS", true}, {"sessions kumquat", false}, {"xy", true}, {"", true}, {"branches trees", true}, {"zzyzx", false},
	} {
		words, err := ParseWords(c.query)
		if err != nil {
			t.Fatal(err)
		}
		if got := words.MayMatchFilter(filter); got != c.want {
			t.Errorf("%q: %t, want %t", c.query, got, c.want)
		}
		if !words.MayMatchFilter(nil) {
			t.Errorf("%q: a short text is excluded", c.query)
		}
	}
}
