package compare

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/aymanbagabas/go-udiff/lcs"
)

// Likeness tells how two texts differ.
type Likeness uint8

// The degrees of likeness.
const (
	Same      Likeness = iota
	OnePhrase          // they differ in one place
	Rewritten          // they differ in several places
	Unrelated          // they have little in common
)

// String describes the likeness of two prompts.
func (l Likeness) String() string {
	return [...]string{"same", "one phrase differs", "rewritten", "only in one branch each"}[l]
}

// Part is a part of a text.
type Part struct {
	Text   string
	Differ bool // the other text does not have it
}

// maxComparedText limits the bytes of texts that are compared by words.
const maxComparedText = 64 << 10

// minSharedPercent is the share of words in the shorter text that the longer one has, below
// which texts are unrelated.
const minSharedPercent = 25

// DiffWords compares two texts by words.
func DiffWords(a, b string) (Likeness, []Part, []Part) {
	if a == b {
		return Same, []Part{{Text: a}}, []Part{{Text: b}}
	}
	whole := func() (Likeness, []Part, []Part) {
		return Unrelated, []Part{{a, true}}, []Part{{b, true}}
	}
	if len(a)+len(b) > maxComparedText {
		return whole()
	}
	wordsA, wordsB := splitWords(a), splitWords(b)
	changes := joinNearChanges(wordsA, lcs.DiffLines(wordsA, wordsB))
	shared := countWords(wordsA)
	for _, c := range changes {
		shared -= countWords(wordsA[c.Start:c.End])
	}
	if shared*100 < minSharedPercent*min(countWords(wordsA), countWords(wordsB)) || shared == 0 {
		return whole()
	}
	like := OnePhrase
	if len(changes) > 1 {
		like = Rewritten
	}
	return like, markParts(wordsA, changes, func(d lcs.Diff) (int, int) { return d.Start, d.End }),
		markParts(wordsB, changes, func(d lcs.Diff) (int, int) { return d.ReplStart, d.ReplEnd })
}

// splitWords splits a text into words and what is between them.
func splitWords(s string) (words []string) {
	start, inWord := 0, false
	for i, r := range s {
		letter := unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '\''
		if i > start && (!letter || !inWord) {
			words = append(words, s[start:i])
			start = i
		}
		inWord = letter
	}
	if start < len(s) {
		words = append(words, s[start:])
	}
	return words
}

// isWord reports whether a part of a text is a word.
func isWord(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

func countWords(words []string) (n int) {
	for _, w := range words {
		if isWord(w) {
			n++
		}
	}
	return n
}

// joinNearChanges joins changes that only a short word, or none, separates: they read as one.
func joinNearChanges(words []string, changes []lcs.Diff) []lcs.Diff {
	const shortWord = 3 // letters
	var out []lcs.Diff
	for _, c := range changes {
		if n := len(out); n > 0 {
			between := words[out[n-1].End:c.Start]
			if countWords(between) <= 1 && len(strings.TrimSpace(strings.Join(between, ""))) <= shortWord {
				out[n-1].End, out[n-1].ReplEnd = c.End, c.ReplEnd
				continue
			}
		}
		out = append(out, c)
	}
	return out
}

// markParts returns the parts of a text. Blanks at the ends of a difference belong to the text
// around it.
func markParts(words []string, changes []lcs.Diff, side func(lcs.Diff) (from, to int)) (parts []Part) {
	at := 0
	add := func(to int, differ bool) {
		if text := strings.Join(words[at:to], ""); text != "" {
			if n := len(parts); n > 0 && parts[n-1].Differ == differ {
				parts[n-1].Text += text
			} else {
				parts = append(parts, Part{text, differ})
			}
		}
		at = to
	}
	for _, c := range changes {
		from, to := side(c)
		for from < to && strings.TrimSpace(words[from]) == "" {
			from++
		}
		end := to
		for end > from && strings.TrimSpace(words[end-1]) == "" {
			end--
		}
		add(from, false)
		add(end, true)
		add(to, false)
	}
	add(len(words), false)
	return parts
}
