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
