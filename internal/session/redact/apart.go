package redact

import "strings"

// Values that stand apart from their names.

// pairLead is how far the value of a pair may be from its name.
const pairLead = 60

// withoutSign reads what stands between a name and a value without a sign of its own.
func (a *assignment) withoutSign(before int) bool {
	a.v.style = styleSpace
	switch next := a.byte(); {
	case a.pair(before > 0), a.block(), a.tag(), a.nextLine():
		return true
	case a.n.quote != "" || before == 0 && next != '\n':
		return false
	case a.n.flag:
		a.v.style = styleFlag
		return before > 0
	case a.prose():
		return true
	}
	if i := strings.IndexByte(a.rest()[:min(len(a.rest()), 40)], '='); i > 0 && isType(a.rest()[:i]) && !strings.HasPrefix(a.rest()[i:], "==") {
		a.at += i + 1 // var name type = value
		a.blanks()
		a.v.style = styleEquals
	}
	return true
}

// pair reads the lead of a value that a name was given apart from it:
// {"name": "NAME", "value": "VALUE"}, and over two lines of YAML.
func (a *assignment) pair(apart bool) bool {
	lead := a.rest()[:min(len(a.rest()), pairLead)]
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
	a.at, a.v.style = at+1, stylePair
	a.blanks()
	return true
}

// maxDefault is how far a value may be from its name in braces.
const maxDefault = 300

// block reads the lead of a value that stands in the braces after its name:
// variable "NAME" { default = "VALUE" }, "NAME": {"value": "VALUE"}.
func (a *assignment) block() bool {
	if a.n.quote == "" || a.byte() != '{' {
		return false
	}
	body := a.rest()[1:min(len(a.rest()), maxDefault)]
	if i := strings.IndexAny(body, "{}"); i >= 0 {
		body = body[:i]
	}
	for _, word := range []string{"default", "value"} {
		i := strings.Index(body, word)
		if i < 0 || i > 0 && wordByte(body[i-1]) {
			continue
		}
		at := a.at + 1 + i + len(word)
		at += len(quoteAt(a.text, at))
		rest := strings.TrimLeft(a.text[at:min(len(a.text), at+20)], " \t")
		if rest != "" && (rest[0] == ':' || rest[0] == '=') {
			a.at = strings.IndexByte(a.text[at:], rest[0]) + at + 1
			a.v.style = stylePair
			a.blanks()
			return true
		}
	}
	return false
}

// tag reads the rest of the tag that a name begins, <password type="x">VALUE, and
// the tags between the two of a property list, <key>NAME</key> <string>VALUE.
func (a *assignment) tag() bool {
	if !a.n.tag || a.n.quote != "" {
		return false
	}
	line := a.rest()[:min(len(a.rest()), maxDefault)]
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
	a.v.style = styleTag
	return true
}

// nextLine reads a value that is all of the line below its name: what echo prints,
// "Your token:" and the token.
func (a *assignment) nextLine() bool {
	rest := a.rest()[:min(len(a.rest()), maxDefault)]
	body := strings.TrimLeft(rest, "\r\n")
	word := body
	if i := strings.IndexAny(body, "\r\n"); i >= 0 {
		word = body[:i]
	}
	if body == rest || len(word) < 10 || strings.ContainsAny(word, " \t=:,;(){}<>[]'\"`") {
		return false
	}
	a.at += len(rest) - len(body)
	a.v.style = styleProse
	return true
}

// prose reads the words between a name and its value in a sentence: "the password
// for staging is VALUE".
func (a *assignment) prose() bool {
	line := a.rest()[:min(len(a.rest()), pairLead)]
	for at := 0; at < len(line); {
		end := strings.IndexByte(line[at:], ' ')
		if end < 0 {
			return false
		}
		word := strings.ToLower(line[at : at+end])
		at += end + 1
		switch {
		case word == "is", word == "was", word == "is:", at > 1 && strings.HasSuffix(word, ":"):
			a.at += at
			a.blanks()
			a.v.style = styleProse
			return true
		case strings.ContainsFunc(word, func(r rune) bool { return r <= ' ' || r < 'a' && strings.ContainsRune("(){}[]<>=;,.\"", r) }):
			return false
		}
	}
	return false
}
