package searchall

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"sessiontree/internal/session/query"
	"sessiontree/internal/session/rowtext"
)

// snippetRunes is the length of a snippet, and runesBefore is how much of it is before the
// first hit.
const (
	snippetRunes = 200
	runesBefore  = 36
	maxMarks     = 20 // in one snippet
)

// markdownSigns are the signs of emphasis and code in Markdown.
var markdownSigns = regexp.MustCompile("\\*\\*|```\\w*|`")

// cutSnippet returns the part of a text around the first place where a term was found, in
// one line, with the places of all terms in it, in runes. It leaves out the signs of Markdown
// unless a term has them.
func cutSnippet(text string, terms []query.Term, isMarkdown bool) (snippet string, marks [][2]int) {
	first := len(text)
	for i := range terms {
		if found := terms[i].FindAll(text, 1); len(found) > 0 {
			first = min(first, found[0][0])
		}
	}
	if first == len(text) {
		first = 0
	}
	start, cutStart := backRunes(text, first, runesBefore)
	end, cutEnd := forwardRunes(text, start, snippetRunes)
	snippet = rowtext.OneLine(strings.ToValidUTF8(text[start:end], ""))
	marks = findMarks(snippet, terms)
	if isMarkdown {
		plain := rowtext.OneLine(markdownSigns.ReplaceAllString(snippet, ""))
		if found := findMarks(plain, terms); len(found) == len(marks) {
			snippet, marks = plain, found
		}
	}
	if cutStart {
		snippet = "…" + snippet
		for i := range marks {
			marks[i][0]++
			marks[i][1]++
		}
	}
	if cutEnd {
		snippet += "…"
	}
	return snippet, marks
}

// findMarks returns the places of all terms in a snippet, in runes.
func findMarks(snippet string, terms []query.Term) (marks [][2]int) {
	for i := range terms {
		for _, m := range terms[i].FindAll(snippet, maxMarks) {
			from := utf8.RuneCountInString(snippet[:m[0]])
			marks = append(marks, [2]int{from, from + utf8.RuneCountInString(snippet[m[0]:m[1]])})
		}
	}
	return mergeMarks(marks)
}

// backRunes returns the offset n runes before at, or at the start of a word after it, and
// whether something is before it.
func backRunes(text string, at, n int) (start int, cut bool) {
	start = at
	for ; n > 0 && start > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(text[:start])
		start -= size
	}
	if start == 0 {
		return 0, false
	}
	if i := strings.IndexFunc(text[start:at], unicode.IsSpace); i >= 0 {
		start += i
	}
	return start, strings.TrimSpace(text[:start]) != ""
}

// forwardRunes returns the offset n runes after start, and whether something is after it.
func forwardRunes(text string, start, n int) (end int, cut bool) {
	end = start
	for ; n > 0 && end < len(text); n-- {
		_, size := utf8.DecodeRuneInString(text[end:])
		end += size
	}
	return end, strings.TrimSpace(text[end:]) != ""
}

// mergeMarks sorts marks and joins those that overlap.
func mergeMarks(marks [][2]int) [][2]int {
	slices.SortFunc(marks, func(a, b [2]int) int { return a[0] - b[0] })
	merged := marks[:0]
	for _, m := range marks {
		if n := len(merged); n > 0 && m[0] <= merged[n-1][1] {
			merged[n-1][1] = max(merged[n-1][1], m[1])
		} else {
			merged = append(merged, m)
		}
	}
	return merged
}
