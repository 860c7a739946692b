package redact

import "strings"

// loginCalls are functions that take a password without a name, with the index of the password
// among their arguments.
var loginCalls = map[string]int{
	"auth=(": 1, "basicauth(": 1, "basic_auth(": 1, ".login(": 1, "networkcredential(": 1, "passwordcredentials(": 1, "passwordauthentication(": 1,
	"authenticate(": 1, "plainauth(": 2, "getconnection(": 2, "mysqli_connect(": 2, "mysqli(": 2, "new pdo(": 2, "ftp_login(": 2, "basic(": 1, "auth(": 1,
}

// findLoginCall finds the password among the arguments of a login function.
func findLoginCall(s *textScan, start, end int) {
	at := end
	for i := 0; ; i++ {
		a := assignmentParser{text: s.text, at: at}
		for a.peekByte() == ' ' || a.peekByte() == '\n' || a.peekByte() == '\t' {
			a.at++
		}
		a.skipStringPrefix()
		quote := quoteAt(s.text, a.at)
		from := a.at + len(quote)
		to := argumentEnd(s.text, from, quote)
		if to < 0 {
			return
		}
		if i == loginCalls[strings.ToLower(s.text[start:end])] {
			v := settingValue{start: from, end: to, style: styleCall, quoted: true}
			if quote != "" && loadNameIndex().isSecret(hintPassword, &settingName{}, v, s.text) {
				s.addNamedSecret(hintPassword, from, to)
			}
			return
		}
		to += len(quote)
		if at = to + 1; to >= len(s.text) || s.text[to] != ',' {
			return
		}
	}
}

// argumentEnd returns the end of a call's argument that begins at at, after quote. It returns -1 if
// the argument does not end on its line.
func argumentEnd(text string, at int, quote string) int {
	limit := lineEndAt(text, at)
	if quote != "" {
		if end, ok := quoteEnd(text, at, quote, limit); ok {
			return end
		}
		return -1
	}
	if i := strings.IndexAny(text[at:limit], ",();"); i >= 0 {
		return at + i
	}
	return -1
}

// findSQLPassword finds the password of an SQL user: IDENTIFIED BY 'PASSWORD'.
func findSQLPassword(s *textScan, _, end int) {
	lead := s.text[end:min(len(s.text), end+12)]
	at := end + len(lead) - len(strings.TrimLeft(lead, " \t"))
	for _, word := range []string{"password ", "values "} {
		if len(s.text) > at+len(word) && strings.EqualFold(s.text[at:at+len(word)], word) {
			at += len(word)
		}
	}
	if q := quoteAt(s.text, at); strings.HasSuffix(q, "'") {
		s.addFlagValue(at, false)
	}
}

// findPipedPassword finds a password that is piped into a command, echo PASSWORD | sudo -S, and a
// password in a here-string after <<<.
func findPipedPassword(s *textScan, start, end int) {
	if s.text[start:end] == "<<<" {
		if strings.Contains(strings.ToLower(s.text[max(0, start-60):start]), "pass") {
			for end < len(s.text) && s.text[end] == ' ' {
				end++
			}
			s.addFlagValue(end, false)
		}
		return
	}
	from := max(0, start-200)
	line := s.text[from:start]
	i := strings.LastIndex(line, "echo ")
	if j := strings.LastIndex(line, "printf "); j > i {
		i = j + len("printf ") - len("echo ")
	}
	pipe := strings.LastIndexByte(line, '|')
	if i < 0 || pipe < i || strings.Contains(line[i:], "\n") {
		return
	}
	at := from + i + len("echo ")
	for strings.HasPrefix(s.text[at:], "-") || strings.HasPrefix(s.text[at:], "'%s") {
		next := strings.IndexByte(s.text[at:start], ' ')
		if next < 0 {
			return
		}
		at += next + 1
	}
	s.addFlagValue(at, strings.Contains(s.text[start:end], "chpasswd"))
}
