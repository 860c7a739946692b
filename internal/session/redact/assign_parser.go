package redact

import (
	"strings"
)

// settingName is the name of a setting with its place and form.
type settingName struct {
	start, end int
	text       string
	quote      string // quote after the name, "" for none
	flag       bool   // -name or --name
	query      bool   // after ? or & in a URL
	tag        bool   // of an XML element, or in an attribute that names one
	first      bool   // first on its line
	env        bool   // in upper case
}

// assignStyle is the form in which a value is assigned to a name.
type assignStyle uint8

const (
	styleEquals assignStyle = iota + 1 // name = value
	styleColon                         // name: value
	styleFlag                          // --name value
	styleSpace                         // name value
	styleCall                          // name(value), ("name", value)
	styleTag                           // <name>value</name>
	styleCell                          // | name | value |
	stylePair                          // "name": "NAME", "value": "VALUE"
	styleProse                         // name is value
)

// settingValue is the place of a value and its form.
type settingValue struct {
	start, end int
	style      assignStyle
	quoted     bool
	tight      bool // no white space around the sign
	whole      bool // it ends its line
	comma      bool // a comma follows, as between arguments
	basic      bool // it follows "Basic"
}

// maxValue is the maximum length of a value.
const maxValue = 16 << 10

// assignmentParser finds the value that is assigned to a name.
type assignmentParser struct {
	text  string
	at    int
	name  *settingName
	value settingValue
}

// findValue returns the value that is assigned to a name. It returns false if there is none.
func findValue(text string, n *settingName) (settingValue, bool) {
	a := assignmentParser{text: text, at: n.end, name: n}
	if n.quote = quoteAt(text, a.at); n.quote != "" {
		a.at += len(n.quote)
	}
	a.skipBrackets()
	if !a.readSign() {
		return a.value, false
	}
	if a.value.style == styleColon && n.quote == "" {
		a.skipTypeName()
	}
	return a.readValue()
}

// skipBrackets skips the end of an index, and the size of an array.
func (a *assignmentParser) skipBrackets() {
	switch a.peekByte() {
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

// peekByte returns the next byte, 0 at the end.
func (a *assignmentParser) peekByte() byte {
	if a.at < len(a.text) {
		return a.text[a.at]
	}
	return 0
}

func (a *assignmentParser) remaining() string { return a.text[a.at:] }

func (a *assignmentParser) skipBlanks() (n int) {
	for ; a.peekByte() == ' ' || a.peekByte() == '\t'; a.at++ {
		n++
	}
	return n
}

// assignSigns are the signs between a name and its value, longer ones before their prefixes. A sign
// with style 0 is no assignment.
var assignSigns = []struct {
	text  string
	style assignStyle
}{
	{"===", 0}, {"==", 0}, {"=~", 0}, {"=>", styleEquals}, {"=", styleEquals},
	{"::", 0}, {":=", styleEquals}, {":-", 0}, {":", styleColon}, {"?=", styleEquals}, {"||=", styleEquals}, {"||", 0}, {"|", styleCell},
	{"->", 0}, {"<-", styleEquals}, {">", styleTag}, {",", styleCall}, {"(", styleCall}, {"%3D", styleEquals}, {"%3d", styleEquals}, {"%3A", styleColon}, {"&#61;", styleEquals},
}

// readSign reads the text between the name and the value.
func (a *assignmentParser) readSign() bool {
	before := a.skipBlanks()
	for _, s := range assignSigns {
		if !strings.HasPrefix(a.remaining(), s.text) {
			continue
		}
		a.at += len(s.text)
		a.value.style = s.style
		a.value.tight = before == 0 && a.skipBlanks() == 0
		if s.style == styleColon && a.skipBlanks() >= 0 && (a.readBraces() || a.readPair(false) || a.readNextLine()) {
			return true
		}
		return s.style != 0 && a.signAssigns(before)
	}
	return a.readWithoutSign(before)
}

// signAssigns reports whether a sign that has other uses is an assignment here.
func (a *assignmentParser) signAssigns(before int) bool {
	a.skipBlanks()
	switch a.value.style {
	case styleCell:
		return before > 0
	case styleTag:
		return a.name.tag && before == 0
	case styleCall:
		if a.text[a.at-1] == '(' || before == 0 && strings.HasSuffix(strings.TrimRight(a.text[:a.at], " \t"), "(") {
			return quoteAt(a.text, a.at) != "" && a.name.quote == ""
		}
		return a.name.quote != "" && (a.readPair(false) || quoteAt(a.text, a.at) != "")
	}
	return true
}

// isTypeName reports whether a text looks like the name of a type.
func isTypeName(text string) bool {
	text = strings.TrimSpace(text)
	if text == "" || strings.IndexByte("<&*", text[0]) < 0 && !isWordByte(text[0]) {
		return false
	}
	for i := range len(text) {
		if b := text[i]; !isWordByte(b) && strings.IndexByte("<>[]*&?|.:' ,", b) < 0 {
			return false
		}
	}
	return true
}

// skipTypeName skips a type between a name and its value: NAME: str = .
func (a *assignmentParser) skipTypeName() {
	line := a.remaining()[:min(len(a.remaining()), 60)]
	if i := strings.IndexByte(line, '='); i > 0 && line[i-1] == ' ' && isTypeName(line[:i]) && i+1 < len(line) && strings.IndexByte("=>~", line[i+1]) < 0 {
		a.at += i + 1
		a.skipBlanks()
		a.value.style = styleEquals
	}
}
