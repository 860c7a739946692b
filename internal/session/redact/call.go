package redact

import "strings"

// loginCalls are functions that take a password without its name, with the place of
// the password among the arguments.
var loginCalls = map[string]int{
	"auth=(": 1, "basicauth(": 1, "basic_auth(": 1, ".login(": 1, "networkcredential(": 1, "passwordcredentials(": 1, "passwordauthentication(": 1,
	"authenticate(": 1, "plainauth(": 2, "getconnection(": 2, "mysqli_connect(": 2, "mysqli(": 2, "new pdo(": 2, "ftp_login(": 2, "basic(": 1, "auth(": 1,
}

// findLogin finds the password among the arguments of a function that logs in.
func findLogin(s *scan, start, end int) {
	at := end
	for i := 0; ; i++ {
		a := assignment{text: s.text, at: at}
		for a.byte() == ' ' || a.byte() == '\n' || a.byte() == '\t' {
			a.at++
		}
		a.prefix()
		quote := quoteAt(s.text, a.at)
		from := a.at + len(quote)
		to := argumentEnd(s.text, from, quote)
		if to < 0 {
			return
		}
		if i == loginCalls[strings.ToLower(s.text[start:end])] {
			v := value{start: from, end: to, style: styleCall, quoted: true}
			if quote != "" && theNames().isSecret(classPassword, &name{}, v, s.text) {
				s.addNamed(classPassword, from, to)
			}
			return
		}
		to += len(quote)
		if at = to + 1; to >= len(s.text) || s.text[to] != ',' {
			return
		}
	}
}

// argumentEnd returns where the argument of a call ends that begins after a quote,
// -1 if that is not on its line.
func argumentEnd(text string, at int, quote string) int {
	limit := lineEnd(text, at)
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
