package redact

import "strings"

// escapedQuotes are quotes as they stand in text that was escaped for something else:
// HTML, addresses, strings in strings.
var escapedQuotes = []string{`"""`, "&quot;", "&#34;", "&#39;", "&apos;", "%22", "%27", `\u0022`, `\u0027`, `\x22`, `\x27`, "“", "”", "‘", "’"}

// quoteAt returns the quote that stands at a place, "" for none: one of those above,
// or a quote after as many backslashes as it has, which JSON in a string has.
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

// closingQuote returns the quote that ends what a quote begins.
func closingQuote(quote string) string {
	switch quote {
	case "“":
		return "”"
	case "‘":
		return "’"
	}
	return quote
}

// quoteEnd returns where the quote stands that ends a string which begins at start,
// after its quote, and false if there is none before limit. A quote that is escaped
// once more than the first one is part of the string.
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
		if at-run < slashes { // a quote of a string around this one
			return run, true
		}
	}
	return limit, false
}
