package redact

import "strings"

// Values that do not directly follow their names.

// maxPairLead is the maximum distance between the name and the value of a pair.
const maxPairLead = 60

// readWithoutSign reads the text between a name and a value that no assignment sign separates.
func (a *assignmentParser) readWithoutSign(before int) bool {
	a.value.style = styleSpace
	switch next := a.peekByte(); {
	case a.readPair(before > 0), a.readBraces(), a.readTag(), a.readNextLine():
		return true
	case a.name.quote != "" || before == 0 && next != '\n':
		return false
	case a.name.flag:
		a.value.style = styleFlag
		return before > 0
	case a.readSentence():
		return true
	}
	if i := strings.IndexByte(a.remaining()[:min(len(a.remaining()), 40)], '='); i > 0 && isTypeName(a.remaining()[:i]) && !strings.HasPrefix(a.remaining()[i:], "==") {
		a.at += i + 1 // var name type = value
		a.skipBlanks()
		a.value.style = styleEquals
	}
	return true
}

// readPair reads up to a value whose name is the value of another field: {"name": "NAME", "value":
// "VALUE"}, also over two lines of YAML.
func (a *assignmentParser) readPair(apart bool) bool {
	lead := a.remaining()[:min(len(a.remaining()), maxPairLead)]
	i := strings.Index(strings.ToLower(lead), "value")
	if i < 0 || strings.Trim(lead[:i], " \t\r\n,\"'\\{}[]-rn") != "" || !apart && !strings.ContainsAny(lead[:i], "\n,\" \t") {
		return false
	}
	at := a.at + i + len("value")
	at += len(quoteAt(a.text, at))
	for at < len(a.text) && (a.text[at] == ' ' || a.text[at] == '\t') {
		at++
	}
	if at >= len(a.text) || a.text[at] != ':' && a.text[at] != '=' {
		return false
	}
	a.at, a.value.style = at+1, stylePair
	a.skipBlanks()
	return true
}

// maxBraceLead is the maximum distance between a name and its value in braces.
const maxBraceLead = 300

// readBraces reads up to a value in the braces after its name: variable "NAME" { default = "VALUE"
// }, "NAME": {"value": "VALUE"}.
func (a *assignmentParser) readBraces() bool {
	if a.name.quote == "" || a.peekByte() != '{' {
		return false
	}
	body := a.remaining()[1:min(len(a.remaining()), maxBraceLead)]
	if i := strings.IndexAny(body, "{}"); i >= 0 {
		body = body[:i]
	}
	for _, word := range []string{"default", "value"} {
		i := strings.Index(body, word)
		if i < 0 || i > 0 && isWordByte(body[i-1]) {
			continue
		}
		at := a.at + 1 + i + len(word)
		at += len(quoteAt(a.text, at))
		rest := strings.TrimLeft(a.text[at:min(len(a.text), at+20)], " \t")
		if rest != "" && (rest[0] == ':' || rest[0] == '=') {
			a.at = strings.IndexByte(a.text[at:], rest[0]) + at + 1
			a.value.style = stylePair
			a.skipBlanks()
			return true
		}
	}
	return false
}

// readTag reads the rest of the tag that begins with a name, <password type="x">VALUE, and the tags
// between name and value of a property list, <key>NAME</key> <string>VALUE.
func (a *assignmentParser) readTag() bool {
	if !a.name.tag || a.name.quote != "" {
		return false
	}
	line := a.remaining()[:min(len(a.remaining()), maxBraceLead)]
	i := strings.IndexByte(line, '>')
	if i < 0 || strings.ContainsAny(line[:i], "\n") {
		return false
	}
	if strings.HasPrefix(line, "</") {
		const open = "<string>"
		after := strings.TrimLeft(line[i+1:], " \t\r\n")
		if !strings.HasPrefix(after, open) {
			return false
		}
		i = len(line) - len(after) + len(open) - 1
	}
	a.at += i + 1
	a.value.style = styleTag
	return true
}

// readNextLine reads up to a value that is the whole line below its name, such as the output of
// echo: "Your token:" and the token.
func (a *assignmentParser) readNextLine() bool {
	rest := a.remaining()[:min(len(a.remaining()), maxBraceLead)]
	body := strings.TrimLeft(rest, "\r\n")
	word := body
	if i := strings.IndexAny(body, "\r\n"); i >= 0 {
		word = body[:i]
	}
	if body == rest || len(word) < 10 || strings.ContainsAny(word, " \t=:,;(){}<>[]'\"`") {
		return false
	}
	a.at += len(rest) - len(body)
	a.value.style = styleProse
	return true
}

// isVerb holds the words before a value in a sentence.
var isVerb = newStringSet([]string{"is", "was", "is:", "ist", "lautet", "lautet:", "est", "es", "é", "è", "är", "er"})

// readSentence reads the words between a name and its value in a sentence: "the password for
// staging is VALUE".
func (a *assignmentParser) readSentence() bool {
	line := a.remaining()[:min(len(a.remaining()), maxPairLead)]
	for at := 0; at < len(line); {
		end := strings.IndexByte(line[at:], ' ')
		if end < 0 {
			return false
		}
		if l := measureValue(line[at : at+end]); l.isVeryRandom() || isBase32Key(line[at:at+end], l) {
			return false // the value itself: "the secret VALUE is old"
		}
		word := strings.ToLower(line[at : at+end])
		at += end + 1
		switch {
		case isVerb[word], at > 1 && strings.HasSuffix(word, ":"):
			a.at += at
			a.skipBlanks()
			a.value.style = styleProse
			return true
		case strings.ContainsFunc(word, func(r rune) bool { return r <= ' ' || r < 'a' && strings.ContainsRune("(){}[]<>=;,.\"", r) }):
			return false
		}
	}
	return false
}
