package redact

import "strings"

// schemes are what stands before the secret in a header's value.
var schemes = []string{"bearer", "basic", "token", "apikey", "api-key", "ssws", "bot", "key", "geniekey", "splunk", "oauth", "private-token", "digest", "negotiate", "dpop", "aws"}

// read reads the value.
func (a *assignment) read() (value, bool) {
	if a.byte() == '[' {
		a.at++
		a.blanks()
		if quoteAt(a.text, a.at) == "" {
			return a.v, false
		}
	}
	a.prefix()
	if quote := quoteAt(a.text, a.at); quote != "" {
		if a.n.quote == "" && a.inString(quote) {
			return a.v, false
		}
		a.at += len(quote)
		return a.quoted(quote)
	}
	if a.v.style == styleCall {
		return a.v, false
	}
	a.scheme()
	return a.bare()
}

// inString reports whether the name stands in a string that a quote after it ends:
// "NAME=" + value.
func (a *assignment) inString(quote string) bool {
	line := a.text[max(0, a.n.start-200):a.n.start]
	line = line[strings.LastIndexByte(line, '\n')+1:]
	if quote == "'" {
		return strings.HasSuffix(line, quote)
	}
	return strings.Count(line, quote)%2 == 1
}

// prefix passes by the letters that may stand before a quote: b"", r"", N”.
func (a *assignment) prefix() {
	i := 0
	for i < 2 && a.at+i < len(a.text) && strings.IndexByte("bBrRuUfFLN@$", a.text[a.at+i]) >= 0 {
		i++
	}
	if i > 0 && a.at+i < len(a.text) && (a.text[a.at+i] == '"' || a.text[a.at+i] == '\'') {
		a.at += i
	}
}

// scheme passes by a scheme of authentication.
func (a *assignment) scheme() {
	at := a.at
	for at < len(a.text) && (alnum(a.text[at]) || a.text[at] == '-') && at-a.at < 16 {
		at++
	}
	if at == a.at || at >= len(a.text) || a.text[at] != ' ' {
		return
	}
	word := strings.ToLower(a.text[a.at:at])
	for _, s := range schemes {
		if word == s {
			a.at = at
			a.blanks()
			a.v.basic = word == "basic"
			return
		}
	}
}

// quoted reads a value in quotes. One whose end was cut off goes to the end of its
// line.
func (a *assignment) quoted(quote string) (value, bool) {
	a.v.quoted = true
	end, ok := quoteEnd(a.text, a.at, quote, a.at+maxValue)
	if line := lineEnd(a.text, a.at); !ok || end > line && quote != `"""` && quote != "`" {
		if end = line; ok && !strings.Contains(a.text[a.at:line], " ") {
			ok = false
		}
	}
	a.scheme()
	a.v.start, a.v.end = a.at, max(a.at, end)
	if ok {
		after := strings.TrimLeft(a.text[min(len(a.text), end+len(quote)):min(len(a.text), end+len(quote)+3)], " ")
		a.v.comma = strings.HasPrefix(after, ",")
	}
	return a.v, a.v.end > a.v.start
}

// bare reads a value without quotes.
func (a *assignment) bare() (value, bool) {
	if a.v.style == styleTag {
		end := strings.IndexByte(a.text[a.at:min(len(a.text), a.at+maxValue)], '<')
		a.v.start, a.v.end = a.at, a.at+max(0, end)
		return a.v, end > 0
	}
	stops := "\"'`,;<>&|"
	if a.n.query {
		stops += "#)]}\\"
	}
	end := a.at
	for end < len(a.text) && a.text[end] > ' ' && a.text[end] != 0x7f && end-a.at < maxValue && strings.IndexByte(stops, a.text[end]) < 0 && !a.escapedEnd(end) {
		end++
	}
	if end == a.at {
		return a.v, false
	}
	a.v.start = a.at
	rest := strings.TrimLeft(a.text[end:min(len(a.text), end+3)], " \t")
	a.v.comma = strings.HasPrefix(rest, ",")
	a.v.whole = rest == "" || rest[0] == '\n' || rest[0] == '\r' || rest[0] == '#'
	for end > a.v.start && strings.IndexByte(".,:)]}", a.text[end-1]) >= 0 && !a.balanced(end) {
		end--
	}
	a.v.end = end
	return a.v, end > a.at
}

// balanced reports whether the bracket that ends before end is opened in the value.
func (a *assignment) balanced(end int) bool {
	i := strings.IndexByte(")]}", a.text[end-1])
	return i >= 0 && strings.IndexByte(a.text[a.v.start:end], "([{"[i]) >= 0
}

// escapedEnd reports whether an escape stands there that ends a line, or a quote.
func (a *assignment) escapedEnd(at int) bool {
	return a.text[at] == '\\' && at+1 < len(a.text) && strings.IndexByte("nrt\"'\\u", a.text[at+1]) >= 0 || a.text[at] == '%' && (strings.HasPrefix(a.text[at:], "%26") || strings.HasPrefix(a.text[at:], "%22"))
}

func lineEnd(text string, at int) int {
	if i := strings.IndexByte(text[at:min(len(text), at+maxValue)], '\n'); i >= 0 {
		return at + i
	}
	return min(len(text), at+maxValue)
}
