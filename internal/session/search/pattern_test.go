package search

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestPattern_MatchesText(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringMatching(`[estzx]{1,6}`).Draw(t, "word")
		text := rapid.StringMatching(`[esStTzZxX€ \x00\x20\x7f]{0,80}`).Draw(t, "text")
		if rapid.Bool().Draw(t, "has the word") {
			at := rapid.IntRange(0, len(text)).Draw(t, "at")
			text = text[:at] + strings.ToUpper(word) + text[at:]
		}
		p, ok := NewTextPattern(word)
		if got, want := p.MatchesText(text), strings.Contains(strings.ToLower(text), word); got != want || !ok {
			t.Errorf("%q in %q: %t, want %t", word, text, got, want)
		}
	})
}
