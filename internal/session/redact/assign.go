package redact

import (
	"strings"
)

// name is where the name of a setting stands, and how.
type name struct {
	start, end int
	text       string
	quote      string // that ends it, "" for none
	flag       bool   // -name or --name
	query      bool   // after ? or & in an address
	tag        bool   // of an XML element, or an attribute's value that names one
	first      bool   // first on its line
	env        bool   // in capitals
}

// style is how a value is assigned to a name.
type style uint8

const (
	styleEquals style = iota + 1 // name = value
	styleColon                   // name: value
	styleFlag                    // --name value
	styleSpace                   // name value
	styleCall                    // name(value), ("name", value)
	styleTag                     // <name>value</name>
	styleCell                    // | name | value |
	stylePair                    // "name": "NAME", "value": "VALUE"
	styleProse                   // name is value
)

// value is where a value stands.
type value struct {
	start, end int
	style      style
	quoted     bool
	tight      bool // no blank before and after the sign
	whole      bool // it goes to the end of its line
	comma      bool // a comma follows, as between arguments
	basic      bool // "Basic" stands before it
}

// maxValue is how long a value may be.
const maxValue = 16 << 10

// assignment reads what is assigned to a name.
type assignment struct {
	text string
	at   int
	n    *name
	v    value
}

// valueOf returns the value that is assigned to a name, false if none is.
func valueOf(text string, n *name) (value, bool) {
	a := assignment{text: text, at: n.end, n: n}
	if n.quote = quoteAt(text, a.at); n.quote != "" {
		a.at += len(n.quote)
	}
	a.brackets()
	if !a.sign() {
		return a.v, false
	}
	if a.v.style == styleColon && n.quote == "" {
		a.skipType()
	}
	return a.read()
}

// brackets passes by what ends an index, and the size of an array.
func (a *assignment) brackets() {
	switch a.byte() {
	case ']':
		a.at++
	case '[':
		end := a.at + 1
		for end < len(a.text) && end < a.at+8 && isDigit(a.text[end]) {
			end++
		}
		if end < len(a.text) && a.text[end] == ']' {
			a.at = end + 1
		}
	}
}

// byte is the next one, 0 at the end.
func (a *assignment) byte() byte {
	if a.at < len(a.text) {
		return a.text[a.at]
	}
	return 0
}

func (a *assignment) rest() string { return a.text[a.at:] }

func (a *assignment) blanks() (n int) {
	for ; a.byte() == ' ' || a.byte() == '\t'; a.at++ {
		n++
	}
	return n
}

// signs are what stands between a name and its value, longer ones before those that
// they begin with. An empty style means that nothing is assigned.
var signs = []struct {
	text  string
	style style
}{
	{"===", 0}, {"==", 0}, {"=~", 0}, {"=>", styleEquals}, {"=", styleEquals},
	{"::", 0}, {":=", styleEquals}, {":-", 0}, {":", styleColon}, {"?=", styleEquals}, {"||=", styleEquals}, {"||", 0}, {"|", styleCell},
	{"->", 0}, {"<-", styleEquals}, {">", styleTag}, {",", styleCall}, {"(", styleCall}, {"%3D", styleEquals}, {"%3d", styleEquals}, {"%3A", styleColon}, {"&#61;", styleEquals},
}

// sign reads what stands between the name and the value.
func (a *assignment) sign() bool {
	before := a.blanks()
	for _, s := range signs {
		if !strings.HasPrefix(a.rest(), s.text) {
			continue
		}
		a.at += len(s.text)
		a.v.style = s.style
		a.v.tight = before == 0 && a.blanks() == 0
		if s.style == styleColon && a.blanks() >= 0 && a.block() {
			return true
		}
		return s.style != 0 && a.fits(before)
	}
	return a.withoutSign(before)
}

// fits reports whether a sign that is in use for much else means an assignment here.
func (a *assignment) fits(before int) bool {
	a.blanks()
	switch a.v.style {
	case styleCell:
		return before > 0
	case styleTag:
		return a.n.tag && before == 0
	case styleCall:
		if a.text[a.at-1] == '(' || before == 0 && strings.HasSuffix(strings.TrimRight(a.text[:a.at], " \t"), "(") {
			return quoteAt(a.text, a.at) != "" && a.n.quote == ""
		}
		return a.n.quote != "" && (a.pair(false) || quoteAt(a.text, a.at) != "")
	}
	return true
}

// pairLead is how far the value of a pair may be from its name.
const pairLead = 60

// withoutSign reads what stands between a name and a value without a sign of its own.
func (a *assignment) withoutSign(before int) bool {
	a.v.style = styleSpace
	switch next := a.byte(); {
	case a.pair(before > 0), a.block():
		return true
	case a.n.quote != "" || before == 0 && next != '\n':
		return false
	case a.n.flag:
		a.v.style = styleFlag
		return before > 0
	case strings.HasPrefix(a.rest(), "is ") || strings.HasPrefix(a.rest(), "was "):
		a.at += strings.IndexByte(a.rest(), ' ')
		a.blanks()
		a.v.style = styleProse
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

// isType reports whether a text is the name of a type: letters, and what types are
// made of besides.
func isType(text string) bool {
	text = strings.TrimSpace(text)
	if text == "" || strings.IndexByte("<&*", text[0]) < 0 && !wordByte(text[0]) {
		return false
	}
	for i := range len(text) {
		if b := text[i]; !wordByte(b) && strings.IndexByte("<>[]*&?|.:' ,", b) < 0 {
			return false
		}
	}
	return true
}

// skipType passes by a type that stands between a name and its value: NAME: str = .
func (a *assignment) skipType() {
	line := a.rest()[:min(len(a.rest()), 60)]
	if i := strings.IndexByte(line, '='); i > 0 && line[i-1] == ' ' && isType(line[:i]) && i+1 < len(line) && strings.IndexByte("=>~", line[i+1]) < 0 {
		a.at += i + 1
		a.blanks()
		a.v.style = styleEquals
	}
}
