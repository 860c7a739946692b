package query

import (
	"regexp"
	"strings"

	"sessiontree/internal/session/search"
)

// A Term is a word, a phrase or a regular expression.
type Term struct {
	words   []string        // case folded; more than one for a phrase
	re      *regexp.Regexp  // what the person wrote, or finds the words
	pattern *search.Pattern // finds the first word, nil if only re can
}

// newTerm returns the term of a word or of the words of a phrase. Between the words of a
// phrase there can be any white space.
func newTerm(words []string) Term {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = regexp.QuoteMeta(w)
	}
	t := Term{words: words, re: regexp.MustCompile(`(?i)` + strings.Join(quoted, `\s+`))}
	if p, ok := search.NewTextPattern(words[0]); ok {
		t.pattern = &p
	}
	return t
}

// Matches reports whether the term occurs in text.
func (t *Term) Matches(text string) bool {
	if t.pattern != nil && (len(t.words) == 1 || !t.pattern.MatchesText(text)) {
		return t.pattern.MatchesText(text)
	}
	return t.re.MatchString(text)
}

// FindAll returns the places of the first most occurrences in text, in bytes. Empty
// matches of a regular expression are left out.
func (t *Term) FindAll(text string, most int) [][2]int {
	var found [][2]int
	for _, m := range t.re.FindAllStringIndex(text, most) {
		if m[1] > m[0] {
			found = append(found, [2]int{m[0], m[1]})
		}
	}
	return found
}
