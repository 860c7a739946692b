package redact

import "strings"

// escapedQuotes are quotes in text that was escaped for HTML, for URLs or as a string within a
// string.
var escapedQuotes = []string{`"""`, "&quot;", "&#34;", "&#39;", "&apos;", "%22", "%27", `\u0022`, `\u0027`, `\x22`, `\x27`, "“", "”", "‘", "’"}

// quoteAt returns the quote at a place, "" for none: one of escapedQuotes, or a quote after any
// number of backslashes, as in JSON within strings.
func quoteAt(text string, at int) string {
	if at >= len(text) {
		return ""
	}
	switch text[at] {
	case '"', '\'', '`':
		if strings.HasPrefix(text[at:], `"""`) {
			return `"""`
		}
		return text[at : at+1]
	case '\\':
		end := at
		for end < len(text) && text[end] == '\\' && end-at < 64 {
			end++
		}
		if end < len(text) && (text[end] == '"' || text[end] == '\'') {
			return text[at : end+1]
		}
	case '&', '%', 0xe2:
	default:
		return ""
	}
	for _, form := range escapedQuotes {
		if strings.HasPrefix(text[at:], form) {
			return form
		}
	}
	return ""
}

// closingQuote returns the quote that closes an opening quote.
func closingQuote(quote string) string {
	switch quote {
	case "“":
		return "”"
	case "‘":
		return "’"
	}
	return quote
}

// quoteEnd returns the offset of the quote that closes a string. The string begins at start, after
// its opening quote. It returns false if there is no such quote before limit. A quote with one more
// level of escaping is part of the string.
func quoteEnd(text string, start int, quote string, limit int) (int, bool) {
	limit = min(limit, len(text))
	quote = closingQuote(quote)
	mark := quote[len(quote)-1]
	slashes := len(quote) - 1
	if mark != '"' && mark != '\'' || slashes > 0 && quote[0] != '\\' {
		i := strings.Index(text[start:limit], quote)
		return start + max(i, 0), i >= 0
	}
	for at := start; at < limit; at++ {
		i := strings.IndexByte(text[at:limit], mark)
		if i < 0 {
			break
		}
		at += i
		run := at
		for run > start && text[run-1] == '\\' {
			run--
		}
		if more := at - run - slashes; more >= 0 && more%(2*(slashes+1)) == 0 {
			return at - slashes, true
		}
		if at-run < slashes { // a quote of the string around this one
			return run, true
		}
	}
	return limit, false
}
