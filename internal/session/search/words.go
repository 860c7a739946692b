package search

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"sessiontree/internal/session"
)

// maxQueryWords is the maximum number of words in a query: they are bits of a uint64.
const maxQueryWords = 64

// Words is the words to search for. It is independent of any session.
type Words struct {
	words        []string
	treeQueries  []session.Query // one per word
	linePatterns []Pattern       // for recorded lines
	textPatterns []Pattern       // for decoded text, unless foldsText is set
	foldsText    bool
	rarest       Pattern // of textPatterns; matches everything if foldsText is set
}

// ParseWords returns the words of a text, which are searched case folded.
func ParseWords(text string) (*Words, error) {
	words := queryWords(text)
	if len(words) > maxQueryWords {
		return nil, fmt.Errorf("%w: a query of more than %d words", session.ErrInvalid, maxQueryWords)
	}
	q := &Words{words: words}
	for _, w := range words {
		q.treeQueries = append(q.treeQueries, session.ParseQuery(w))
		q.linePatterns = append(q.linePatterns, newLinePattern(w))
		plain, ok := NewTextPattern(w)
		q.textPatterns, q.foldsText = append(q.textPatterns, plain), q.foldsText || !ok
	}
	if len(words) > 0 && !q.foldsText {
		q.rarest = slices.MinFunc(q.textPatterns, func(a, b Pattern) int { return cmp.Compare(a.rarity(), b.rarity()) })
	}
	return q, nil
}

// missingFromLine returns the words that a recorded line cannot contain.
func (q *Words) missingFromLine(buf []byte, start, end int, esc *escapeFinder) (missing uint64) {
	for k := range q.linePatterns {
		if !q.linePatterns[k].matchesLine(buf[start:end]) {
			missing |= 1 << k
		}
	}
	if missing != 0 && esc.hasEscapeBetween(start, end) {
		return 0
	}
	return missing
}

// missingFromText returns the words that a text does not contain.
func (q *Words) missingFromText(text []byte) (missing uint64) {
	folded := ""
	if q.foldsText {
		folded = FoldCase(string(text))
	}
	for k, w := range q.words {
		if q.foldsText && !strings.Contains(folded, w) || !q.foldsText && !q.textPatterns[k].matchesLine(text) {
			missing |= 1 << k
		}
	}
	return missing
}

// bodyText returns all text that a body shows.
func bodyText(b *session.Body) []byte {
	var text []byte
	for i := range b.Blocks {
		block := &b.Blocks[i]
		text = append(append(text, block.Name...), '\n')
		text = append(append(text, block.Text...), '\n')
		block.EachArg(func(arg string, _ bool) { text = append(append(text, arg...), '\n') })
	}
	return text
}

// EntrySeparator ends each entry in texts that MatchesAnyEntry searches.
const EntrySeparator = 0x1e

// MatchesAnyEntry reports whether one of the entries in texts contains all words. Other words are
// looked for only in entries with the rarest one.
func (q *Words) MatchesAnyEntry(texts []byte) bool {
	for len(texts) > 0 {
		at := q.rarest.index(texts)
		if at < 0 {
			return false
		}
		start := bytes.LastIndexByte(texts[:at], EntrySeparator) + 1
		entry, rest, _ := bytes.Cut(texts[start:], []byte{EntrySeparator})
		if q.missingFromText(entry) == 0 {
			return true
		}
		texts = rest
	}
	return false
}
