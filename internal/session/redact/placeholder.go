package redact

import (
	"encoding/hex"
	"net/url"
	"strings"
)

// isPlaceholder reports whether a value only stands for a secret: a variable, a template, a word
// for one, or an example.
func (n *nameIndex) isPlaceholder(value string) bool {
	if value == "" || isTemplate(value) {
		return true
	}
	v := strings.ToLower(strings.Trim(value, " \t.,;:!?*_-=+#@/"))
	if v == "" || n.noValues[v] || n.noValues[strings.TrimRight(v, "0123456789")] || isSequence(v) {
		return true
	}
	for _, part := range n.parts {
		if strings.Contains(v, part) || part[0] == '.' && strings.Contains(value, part) || part[0] == '*' && strings.Contains(value, part) {
			return true
		}
	}
	if plain, err := url.PathUnescape(v); err == nil {
		v = plain
	}
	return n.isMadeOfWords(v) || n.placeholders[leetReplacer.Replace(v)] || n.placeholders[strings.Map(keepLetter, v)] && countDigits(v) == 0
}

// leetReplacer replaces digits and signs that are often used instead of letters.
var leetReplacer = strings.NewReplacer("0", "o", "1", "i", "3", "e", "4", "a", "5", "s", "7", "t", "$", "s", "@", "a", "!", "i")

// isMadeOfWords reports whether a value in lower case consists of placeholder words:
// my-test-password, user_1.
func (n *nameIndex) isMadeOfWords(v string) bool {
	words, start := 0, 0
	for i := 0; i <= len(v); i++ {
		if i < len(v) && isLower(v[i]) {
			continue
		}
		if w := v[start:i]; w != "" {
			if !n.placeholders[w] && !n.isJoinedWords(w) && !(len(w) == 1 && len(v) < 8) {
				return false
			}
			words++
		}
		if i < len(v) && !isDigit(v[i]) && strings.IndexByte("-_. :/@'\"", v[i]) < 0 {
			return false
		}
		start = i + 1
	}
	return words > 0 && countDigits(v) <= 4
}

// isJoinedWords reports whether a word is a concatenation of placeholder words, such as
// testpassword.
func (n *nameIndex) isJoinedWords(w string) bool {
	var from [40]bool
	if len(w) >= len(from) {
		return false
	}
	from[0] = true
	for end := 2; end <= len(w); end++ {
		for start := 0; start+2 <= end && !from[end]; start++ {
			from[end] = from[start] && n.placeholders[w[start:end]]
		}
	}
	return from[len(w)]
}

func keepLetter(r rune) rune {
	if r < 'a' || r > 'z' {
		return -1
	}
	return r
}

func countDigits(v string) (n int) {
	for i := range len(v) {
		if isDigit(v[i]) {
			n++
		}
	}
	return n
}

// isTemplate reports whether a value is or contains a variable.
func isTemplate(v string) bool {
	for _, open := range []string{"${", "$(", "{{", "#{", "<%", "%(", "$[", "[redacted", "[REDACTED", "\\(", "@{", "(?", "[A-", "[a-", "[0-", ".*", ".+", "\\d", "\\w", "%s", "%v", "%d", "%q", "{0}"} {
		if strings.Contains(v, open) {
			return true
		}
	}
	first, last := v[0], v[len(v)-1]
	switch first {
	case '$':
		return isVariableName(v[1:])
	case '%':
		return last == '%' && isVariableName(v[1:len(v)-1]) || len(v) == 2
	case '<':
		return last == '>' || len(v) < 3 || strings.IndexByte(v, '>') < 0 && isVariableName(v[1:])
	case '{':
		return last == '}'
	case '[':
		return last == ']'
	case '(':
		return last == ')'
	}
	return len(v) > 4 && strings.HasPrefix(v, "__") && strings.HasSuffix(v, "__")
}

// isVariableName reports whether a text is the name of a variable or of a member of one.
func isVariableName(v string) bool {
	if v == "" {
		return true
	}
	for i := range len(v) {
		if b := v[i]; !isWordByte(b) && b != '.' && b != ':' && b != '-' && b != '[' && b != ']' {
			return false
		}
	}
	return !isDigit(v[0]) || len(v) == 1
}

// isSequence reports whether a value repeats few characters or counts: xxxxxxxx, 12345678, abcdef.
func isSequence(v string) bool {
	seen, steps := map[byte]bool{}, 0
	for i := range len(v) {
		seen[v[i]] = true
		if i > 0 && (v[i] == v[i-1]+1 || v[i] == v[i-1] || v[i-1] == '9' && v[i] == '0') {
			steps++
		}
	}
	return len(seen) <= 2 && len(v) > 2 || len(v) >= 4 && 4*steps >= 3*(len(v)-1) || countsInHex(v)
}

// countsInHex reports whether a value is a sequence of counting bytes in hexadecimal: 000102...
func countsInHex(v string) bool {
	raw, err := hex.DecodeString(v)
	steps := 0
	for i := 1; i < len(raw); i++ {
		if raw[i] == raw[i-1]+1 || raw[i] == raw[i-1] {
			steps++
		}
	}
	return err == nil && len(raw) > 3 && 4*steps >= 3*(len(raw)-1)
}
