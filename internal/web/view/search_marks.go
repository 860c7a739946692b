package view

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"sessiontree/web/components"
)

// MarkSpans splits text at the words it contains, so that they can be highlighted.
func MarkSpans(text string, words []string) []components.Span {
	if text == "" {
		return nil
	}
	hits := findWords(text, words)
	if len(hits) == 0 {
		return []components.Span{{Text: text}}
	}
	var out []components.Span
	at := 0
	for _, h := range hits {
		if h.to <= at {
			continue
		}
		from := max(h.from, at)
		if from > at {
			out = append(out, components.Span{Text: text[at:from]})
		}
		if n := len(out); n > 0 && out[n-1].Mark && from == at {
			out[n-1].Text += text[from:h.to]
		} else {
			out = append(out, components.Span{Text: text[from:h.to], Mark: true})
		}
		at = h.to
	}
	if at < len(text) {
		out = append(out, components.Span{Text: text[at:]})
	}
	return out
}

type textRange struct{ from, to int }

// findWords returns the places of the words in text, ignoring case, in order.
func findWords(text string, words []string) []textRange {
	if len(words) == 0 {
		return nil
	}
	low, at := foldCase(text)
	var hits []textRange
	for _, w := range words {
		for from := 0; ; {
			i := strings.Index(low[from:], w)
			if i < 0 {
				break
			}
			hits = append(hits, textRange{at(from + i), at(from + i + len(w))})
			from += i + len(w)
		}
	}
	slices.SortFunc(hits, func(a, b textRange) int { return cmp.Compare(a.from, b.from) })
	return hits
}

// foldCase converts text to lower case and returns a function that maps offsets back. Few
// texts change their length.
func foldCase(text string) (low string, at func(int) int) {
	low = strings.ToLower(text)
	if len(low) == len(text) {
		return low, func(i int) int { return i }
	}
	var b strings.Builder
	var starts []int
	for i, r := range text {
		n := b.Len()
		b.WriteRune(unicode.ToLower(r))
		for range b.Len() - n {
			starts = append(starts, i)
		}
	}
	starts = append(starts, len(text))
	return b.String(), func(i int) int { return starts[i] }
}
