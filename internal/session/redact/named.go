package redact

import (
	"encoding/base64"
	"strings"
	"unicode/utf8"
)

// findNamed finds the value that is assigned to the name around a word.
func findNamed(s *scan, start, end int) {
	if start < s.nameEnd {
		return
	}
	n := nameAround(s.text, start, end)
	s.nameEnd = n.end
	v, ok := valueOf(s.text, &n)
	if !ok {
		return
	}
	if !v.quoted && v.end-v.start > longValue { // names in it would have the rest of it as their values
		s.nameEnd = v.end
	}
	t := theNames()
	c := t.classify(n.text)
	if c == classNone && n.query && t.inQuery(n.text) {
		c = classMaybe
	}
	if c == classNone {
		return
	}
	s.judge(c, &n, v)
}

// longValue is how long a value without quotes is at most in which names of other
// values are looked for.
const longValue = 256

// judge notes the value if it is a secret.
func (s *scan) judge(c class, n *name, v value) {
	switch {
	case c == classCookie && (v.style == styleColon || v.style == styleEquals || v.style == styleCall):
		s.cookies(v)
	case c == classPhrase:
		s.phrase(v)
	case v.style == styleColon && !v.quoted && isBlockMark(s.text[v.start:v.end]):
		s.blockScalar(c, n, v)
	case theNames().isSecret(c, n, v, s.text):
		s.addNamed(c, v.start, v.end)
	}
}

const maxName = 64

func nameByte(b byte) bool { return wordByte(b) || b == '-' || b == '.' }

// nameAround returns the name around a word.
func nameAround(text string, start, end int) name {
	lead := strings.IndexByte("?&", text[start])
	for least := start - maxName; start > 0 && start > least && nameByte(text[start-1]); {
		start--
	}
	if lead >= 0 {
		start++
	}
	for most := end + maxName; end < len(text) && end < most && nameByte(text[end]) && text[end-1] != '='; {
		end++
	}
	for end > start && !alnum(text[end-1]) {
		end--
	}
	start += escapeBefore(text, start, end)
	n := name{flag: start < end && text[start] == '-'}
	for start < end && !alnum(text[start]) {
		start++
	}
	if start > 0 && n.flag && start > 1 && wordByte(text[start-2]) {
		n.flag = false
	}
	n.start, n.end, n.text = start, end, text[start:end]
	n.joinWord(text)
	n.env = strings.ToUpper(n.text) == n.text && strings.ContainsAny(n.text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
	n.place(text)
	return n
}

// joinWord takes the word before "key" and the like into a name: "api key".
func (n *name) joinWord(text string) {
	if !strings.EqualFold(n.text, "key") || n.start < 3 || text[n.start-1] != ' ' || n.flag {
		return
	}
	start := n.start - 1
	for start > 0 && alnum(text[start-1]) && n.start-start < 16 {
		start--
	}
	if theNames().secretKeys[strings.ToLower(text[start:n.start-1])] {
		n.start, n.text = start, text[start:n.end]
	}
}

// escapeBefore returns how many bytes at the beginning of a name belong to an
// escape before it: \n, %26, \u0026.
func escapeBefore(text string, start, end int) int {
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
		if len(rest) > 2 && alnum(rest[0]) && alnum(rest[1]) {
			return 2
		}
	}
	return 0
}

// place notes what stands before a name.
func (n *name) place(text string) {
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
	n.first = line == "" || strings.IndexByte("eEsSlLdDAcf-", line[0]) >= 0 && shellLead[strings.TrimRight(line, " \t'\"$")]
}

// shellLead are the words that stand before an assignment in a shell or the like.
var shellLead = setOf([]string{"export", "set", "setx", "setenv", "env", "declare -x", "local", "set -x", "set -gx", "set -Ux", "ENV", "ARG", "define", "Environment=", "environment", "env:", "-e", "export -n", "typeset -x", "config set", "fly secrets set"})

// cookies notes the values of cookies that look random.
func (s *scan) cookies(v value) {
	end := v.end
	if !v.quoted { // blanks part cookies
		for end < len(s.text) && s.text[end] != '\n' && s.text[end] != '\r' && strings.IndexByte("\"'`\\", s.text[end]) < 0 && end-v.start < maxValue {
			end++
		}
	}
	if end-v.start > longValue {
		s.nameEnd = end
	}
	for at := v.start; at < end; {
		stop := at + strings.IndexByte(s.text[at:end]+";", ';')
		from := at
		if i := strings.IndexByte(s.text[at:stop], '='); i >= 0 {
			from += i + 1
		}
		if one := strings.TrimRight(s.text[from:stop], " \t"); isCookie(one) {
			s.addNamed(classCookie, from, from+len(one))
		}
		at = stop + 1
	}
}

// isCookie reports whether the value of a cookie is one that a server made.
func isCookie(value string) bool {
	if len(value) < 8 || theNames().isPlaceholder(value) || isKnownForm(value) {
		return false
	}
	l := lookAt(value)
	return l.random() && (l.digits > 0 || l.lower > 0 && l.upper > 0)
}

// leastPhrase is how many words a seed phrase has at least.
const leastPhrase = 12

// phrase notes a seed phrase.
func (s *scan) phrase(v value) {
	end := v.end
	if !v.quoted {
		end = lineEnd(s.text, v.start)
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
	if words >= leastPhrase {
		s.addNamed(classPhrase, v.start, at)
	}
}

// isBlockMark reports whether a value of YAML stands on the next lines.
func isBlockMark(v string) bool {
	return v != "" && (v[0] == '|' || v[0] == '>') && strings.Trim(v[1:], "+-0123456789") == "" && len(v) < 4
}

// blockScalar notes a value that stands on the lines below its name, further in.
func (s *scan) blockScalar(c class, n *name, v value) {
	lines := indented(s.text, n.start, lineEnd(s.text, v.end))
	if len(lines) == 0 {
		return
	}
	first := value{start: lines[0].start, end: lines[0].end, style: styleColon, quoted: true}
	if theNames().isSecret(c, n, first, s.text) {
		s.addNamed(c, first.start, lines[len(lines)-1].end)
	}
}

// userOf returns the name and the password that a text in base64 holds.
func userOf(text string) (user, password string, ok bool) {
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
