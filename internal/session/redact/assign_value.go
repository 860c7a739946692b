package redact

import "strings"

// authSchemes are the words before the secret in a header's value.
var authSchemes = []string{"bearer", "basic", "token", "apikey", "api-key", "ssws", "bot", "key", "geniekey", "splunk", "oauth", "private-token", "digest", "negotiate", "dpop", "aws"}

// readValue reads the value.
func (a *assignmentParser) readValue() (settingValue, bool) {
	if a.peekByte() == '[' {
		a.at++
		a.skipBlanks()
		if quoteAt(a.text, a.at) == "" {
			return a.value, false
		}
	}
	a.skipStringPrefix()
	if quote := quoteAt(a.text, a.at); quote != "" {
		if a.name.quote == "" && a.isInsideString(quote) {
			return a.value, false
		}
		a.at += len(quote)
		return a.readQuoted(quote)
	}
	if a.value.style == styleCall {
		return a.value, false
	}
	a.skipAuthScheme()
	return a.readUnquoted()
}

// isInsideString reports whether the name is in a string that a quote after it ends: "NAME=" +
// value.
func (a *assignmentParser) isInsideString(quote string) bool {
	line := a.text[max(0, a.name.start-200):a.name.start]
	line = line[strings.LastIndexByte(line, '\n')+1:]
	if quote == "'" {
		return strings.HasSuffix(line, quote)
	}
	return strings.Count(line, quote)%2 == 1
}

// skipStringPrefix skips letters that may precede a quote: b"", r"", N”.
func (a *assignmentParser) skipStringPrefix() {
	i := 0
	for i < 2 && a.at+i < len(a.text) && strings.IndexByte("bBrRuUfFLN@$", a.text[a.at+i]) >= 0 {
		i++
	}
	if i > 0 && a.at+i < len(a.text) && (a.text[a.at+i] == '"' || a.text[a.at+i] == '\'') {
		a.at += i
	}
}

// skipAuthScheme skips an authentication scheme.
func (a *assignmentParser) skipAuthScheme() {
	at := a.at
	for at < len(a.text) && (isAlphanumeric(a.text[at]) || a.text[at] == '-') && at-a.at < 16 {
		at++
	}
	if at == a.at || at >= len(a.text) || a.text[at] != ' ' {
		return
	}
	word := strings.ToLower(a.text[a.at:at])
	for _, s := range authSchemes {
		if word == s {
			a.at = at
			a.skipBlanks()
			a.value.basic = word == "basic"
			return
		}
	}
}

// readQuoted reads a value in quotes. A value without its closing quote ends with its line.
func (a *assignmentParser) readQuoted(quote string) (settingValue, bool) {
	a.value.quoted = true
	end, ok := quoteEnd(a.text, a.at, quote, a.at+maxValue)
	if line := lineEndAt(a.text, a.at); !ok || end > line && quote != `"""` && quote != "`" {
		if end = line; ok && !strings.Contains(a.text[a.at:line], " ") {
			ok = false
		}
	}
	a.skipAuthScheme()
	a.value.start, a.value.end = a.at, max(a.at, end)
	if ok {
		after := strings.TrimLeft(a.text[min(len(a.text), end+len(quote)):min(len(a.text), end+len(quote)+3)], " ")
		a.value.comma = strings.HasPrefix(after, ",")
	}
	return a.value, a.value.end > a.value.start
}

// readUnquoted reads a value without quotes.
func (a *assignmentParser) readUnquoted() (settingValue, bool) {
	if a.value.style == styleTag {
		end := strings.IndexByte(a.text[a.at:min(len(a.text), a.at+maxValue)], '<')
		a.value.start, a.value.end = a.at, a.at+max(0, end)
		return a.value, end > 0
	}
	stops := "\"'`,;<>&|"
	if a.name.query {
		stops += "#)]}\\"
	}
	end := a.at
	for end < len(a.text) && a.text[end] > ' ' && a.text[end] != 0x7f && end-a.at < maxValue && strings.IndexByte(stops, a.text[end]) < 0 && !a.isEscapedEnd(end) {
		end++
	}
	if end == a.at {
		return a.value, false
	}
	a.value.start = a.at
	rest := strings.TrimLeft(a.text[end:min(len(a.text), end+3)], " \t")
	a.value.comma = strings.HasPrefix(rest, ",")
	a.value.whole = rest == "" || rest[0] == '\n' || rest[0] == '\r' || rest[0] == '#'
	for end > a.value.start && strings.IndexByte(".,:)]}", a.text[end-1]) >= 0 && !a.isBalanced(end) {
		end--
	}
	a.value.end = end
	return a.value, end > a.at
}

// isBalanced reports whether the bracket that ends before end was opened in the value.
func (a *assignmentParser) isBalanced(end int) bool {
	i := strings.IndexByte(")]}", a.text[end-1])
	return i >= 0 && strings.IndexByte(a.text[a.value.start:end], "([{"[i]) >= 0
}

// isEscapedEnd reports whether an escaped line end or quote begins at a place.
func (a *assignmentParser) isEscapedEnd(at int) bool {
	return a.text[at] == '\\' && at+1 < len(a.text) && strings.IndexByte("nrt\"'\\u", a.text[at+1]) >= 0 || a.text[at] == '%' && (strings.HasPrefix(a.text[at:], "%26") || strings.HasPrefix(a.text[at:], "%22"))
}

func lineEndAt(text string, at int) int {
	if i := strings.IndexByte(text[at:min(len(text), at+maxValue)], '\n'); i >= 0 {
		return at + i
	}
	return min(len(text), at+maxValue)
}
