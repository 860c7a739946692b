package search

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestPattern_Index(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringMatching(`[estzx]{1,6}`).Draw(t, "word")
		text := rapid.StringMatching(`[esStTzZxX€ \x00\x20\x7f]{0,80}`).Draw(t, "text")
		text += strings.Repeat("z", rapid.IntRange(0, 2*blockPlaces).Draw(t, "length"))
		if rapid.Bool().Draw(t, "has the word") {
			at := rapid.IntRange(0, len(text)).Draw(t, "at")
			text = text[:at] + strings.ToUpper(word) + text[at:]
		}
		p, ok := NewTextPattern(word)
		lower := []byte(text) // which may be invalid UTF-8
		for i, c := range lower {
			if 'A' <= c && c <= 'Z' {
				lower[i] = c - 'A' + 'a'
			}
		}
		want := strings.Index(string(lower), word)
		if got := p.index([]byte(text)); got != want || !ok {
			t.Errorf("%q in %q: %d, want %d", word, text, got, want)
		}
		if got := p.MatchesText(text); got != (want >= 0) {
			t.Errorf("%q in %q: %t", word, text, got)
		}
	})
}

// All words must be in one entry.
func TestWords_MatchesAnyEntry(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.StringMatching(`[estké]{1,3}`), 0, 3).Draw(t, "words")
		entries := rapid.SliceOfN(rapid.StringMatching(`[esStTkKé ]{0,12}`), 0, 6).Draw(t, "entries")
		q, err := ParseWords(strings.Join(words, " "))
		if err != nil {
			t.Fatal(err)
		}
		want := slices.ContainsFunc(entries, func(e string) bool {
			isMissing := func(w string) bool { return !strings.Contains(strings.ToLower(e), w) }
			return !slices.ContainsFunc(words, isMissing)
		})
		texts := ""
		for _, e := range entries {
			texts += e + string(rune(EntrySeparator))
		}
		if got := q.MatchesAnyEntry([]byte(texts)); got != want {
			t.Errorf("%q in %q: %t, want %t", words, entries, got, want)
		}
	})
}
