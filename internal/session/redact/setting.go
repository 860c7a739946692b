package redact

import (
	"encoding/base64"
	"strings"
	"unicode/utf8"
)

// findSetting finds the value that is assigned to the name around a word.
func findSetting(s *textScan, start, end int) {
	if start < s.settingEnd {
		return
	}
	n := settingNameAt(s.text, start, end)
	s.settingEnd = n.end
	v, ok := findValue(s.text, &n)
	if !ok {
		return
	}
	if !v.quoted && v.end-v.start > longValue { // names in it would get the rest of it as their values
		s.settingEnd = v.end
	}
	t := loadNameIndex()
	c := t.hintFor(n.text)
	if c == hintNone && n.query && t.isQuerySecret(n.text) {
		c = hintMaybe
	}
	if c == hintNone {
		return
	}
	s.judgeSetting(c, &n, v)
}

// longValue is the maximum length of an unquoted value that is searched for other names.
const longValue = 256

// judgeSetting adds the value if it is a secret.
func (s *textScan) judgeSetting(c valueHint, n *settingName, v settingValue) {
	switch {
	case c == hintCookie && (v.style == styleColon || v.style == styleEquals || v.style == styleCall):
		s.addCookies(v)
	case c == hintPhrase:
		s.addSeedPhrase(v)
	case v.style == styleColon && !v.quoted && isBlockIndicator(s.text[v.start:v.end]):
		s.addBlockScalar(c, n, v)
	case loadNameIndex().isSecret(c, n, v, s.text):
		s.addNamedSecret(c, v.start, v.end)
	}
}

const maxName = 64

func isNameByte(b byte) bool { return isWordByte(b) || b == '-' || b == '.' }

// settingNameAt returns the name around a word.
func settingNameAt(text string, start, end int) settingName {
	if !isNameByte(text[start]) { // the word has the sign before its name
		start++
	} else {
		for least := start - maxName; start > 0 && start > least && isNameByte(text[start-1]); {
			start--
		}
	}
	for most := end + maxName; end < len(text) && end < most && isNameByte(text[end]) && text[end-1] != '='; {
		end++
	}
	for end > start && !isAlphanumeric(text[end-1]) {
		end--
	}
	start += leadingEscapeLength(text, start, end)
	n := settingName{flag: start < end && text[start] == '-'}
	for start < end && !isAlphanumeric(text[start]) {
		start++
	}
	if start > 0 && n.flag && start > 1 && isWordByte(text[start-2]) {
		n.flag = false
	}
	n.start, n.end, n.text = start, end, text[start:end]
	n.prependWord(text)
	n.env = strings.ToUpper(n.text) == n.text && strings.ContainsAny(n.text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
	n.readContext(text)
	return n
}

// prependWord extends the name "key" by the word before it: "api key".
func (n *settingName) prependWord(text string) {
	if !strings.EqualFold(n.text, "key") || n.start < 3 || text[n.start-1] != ' ' || n.flag {
		return
	}
	start := n.start - 1
	for start > 0 && isAlphanumeric(text[start-1]) && n.start-start < 16 {
		start--
	}
	if loadNameIndex().secretKeys[strings.ToLower(text[start:n.start-1])] {
		n.start, n.text = start, text[start:n.end]
	}
}

// leadingEscapeLength returns the number of bytes at the beginning of a name that belong to an
// escape sequence: \n, %26, \u0026.
func leadingEscapeLength(text string, start, end int) int {
	if start == 0 {
		return 0
	}
	switch rest := text[start:end]; text[start-1] {
	case '\\':
		if strings.HasPrefix(rest, "u00") && len(rest) > 5 {
			return 5
		}
		if len(rest) > 1 && strings.IndexByte("nrtb", rest[0]) >= 0 {
			return 1
		}
	case '%':
		if len(rest) > 2 && isAlphanumeric(rest[0]) && isAlphanumeric(rest[1]) {
			return 2
		}
	}
	return 0
}

// readContext records what precedes a name.
func (n *settingName) readContext(text string) {
	before := text[max(0, n.start-8):n.start]
	switch {
	case before == "":
	case strings.HasSuffix(before, "?") || strings.HasSuffix(before, "&") || strings.HasSuffix(before, "&amp;") || strings.HasSuffix(before, "%26") || strings.HasSuffix(before, "%3F") || strings.HasSuffix(before, `u0026`):
		n.query = true
	case strings.HasSuffix(before, "<") || strings.HasSuffix(before, ":") && strings.Contains(before, "<") || strings.HasSuffix(before, `="`) || strings.HasSuffix(before, "key>"):
		n.tag = true
	}
	line := text[max(0, n.start-maxName):n.start]
	if i := strings.LastIndexAny(line, "\n\x00"); i >= 0 {
		line = line[i+1:]
	} else if n.start > maxName {
		return
	}
	line = strings.TrimLeft(line, " \t0123456789→:|+->$#'\"")
	n.first = line == "" || strings.IndexByte("eEsSlLdDAcf-", line[0]) >= 0 && shellPrefixes[strings.TrimRight(line, " \t'\"$")]
}

// shellPrefixes are the words before an assignment in shells and similar languages.
var shellPrefixes = newStringSet([]string{"export", "set", "setx", "setenv", "env", "declare -x", "local", "set -x", "set -gx", "set -Ux", "ENV", "ARG", "define", "Environment=", "environment", "env:", "-e", "export -n", "typeset -x", "config set", "fly secrets set"})

// addCookies adds the values of cookies that look random.
func (s *textScan) addCookies(v settingValue) {
	end := v.end
	if !v.quoted { // cookies are separated by spaces
		for end < len(s.text) && s.text[end] != '\n' && s.text[end] != '\r' && strings.IndexByte("\"'`\\", s.text[end]) < 0 && end-v.start < maxValue {
			end++
		}
	}
	if end-v.start > longValue {
		s.settingEnd = end
	}
	for at := v.start; at < end; {
		stop := at + strings.IndexByte(s.text[at:end]+";", ';')
		from := at
		if i := strings.IndexByte(s.text[at:stop], '='); i >= 0 {
			from += i + 1
		}
		if one := strings.TrimRight(s.text[from:stop], " \t"); isCookieValue(one) {
			s.addNamedSecret(hintCookie, from, from+len(one))
		}
		at = stop + 1
	}
}

// isCookieValue reports whether a cookie's value looks generated by a server.
func isCookieValue(value string) bool {
	if len(value) < 8 || loadNameIndex().isPlaceholder(value) || isKnownForm(value) {
		return false
	}
	l := measureValue(value)
	return l.isRandom() && (l.digits > 0 || l.lower > 0 && l.upper > 0)
}

// minPhraseWords is the minimum number of words in a seed phrase.
const minPhraseWords = 12

// addSeedPhrase adds a seed phrase.
func (s *textScan) addSeedPhrase(v settingValue) {
	end := v.end
	if !v.quoted {
		end = lineEndAt(s.text, v.start)
	}
	words := 0
	at := v.start
	for at < end {
		n := strings.IndexFunc(s.text[at:end], func(r rune) bool { return r < 'a' || r > 'z' })
		if n < 0 {
			n = end - at
		}
		if n < 3 || n > 8 {
			break
		}
		words++
		at += n
		if at < end && (s.text[at] == ' ' || s.text[at] == ',') && words < 24 {
			at++
			continue
		}
		break
	}
	if words >= minPhraseWords {
		s.addNamedSecret(hintPhrase, v.start, at)
	}
}

// isBlockIndicator reports whether a YAML value is a block on the following lines.
func isBlockIndicator(v string) bool {
	return v != "" && (v[0] == '|' || v[0] == '>') && strings.Trim(v[1:], "+-0123456789") == "" && len(v) < 4
}

// addBlockScalar adds a value on the indented lines below its name.
func (s *textScan) addBlockScalar(c valueHint, n *settingName, v settingValue) {
	lines := indentedLines(s.text, n.start, lineEndAt(s.text, v.end))
	if len(lines) == 0 {
		return
	}
	first := settingValue{start: lines[0].start, end: lines[0].end, style: styleColon, quoted: true}
	if loadNameIndex().isSecret(c, n, first, s.text) {
		s.addNamedSecret(c, first.start, lines[len(lines)-1].end)
	}
}

// decodeCredentials returns the user name and the password in a base64 text.
func decodeCredentials(text string) (user, password string, ok bool) {
	raw, err := base64.StdEncoding.DecodeString(text + "==="[:(4-len(text)%4)%4])
	if err != nil || !utf8.Valid(raw) {
		return "", "", false
	}
	user, password, ok = strings.Cut(string(raw), ":")
	for _, r := range user + password {
		if r < ' ' || r == utf8.RuneError {
			return "", "", false
		}
	}
	return user, password, ok && user+password != ""
}
