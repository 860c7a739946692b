package redact

import "strings"

// secretArgument says which arguments of a function, from first to last, may be a secret.
type secretArgument struct {
	hint        valueHint
	first, last int
}

// secretCalls are functions that take a secret without a name.
var secretCalls = map[string]secretArgument{
	"auth=(": {hintPassword, 1, 1}, "basicauth(": {hintPassword, 1, 1}, "basic_auth(": {hintPassword, 1, 1}, ".login(": {hintPassword, 1, 1}, "networkcredential(": {hintPassword, 1, 1},
	"passwordcredentials(": {hintPassword, 1, 1}, "passwordauthentication(": {hintPassword, 1, 1}, "authenticate(": {hintPassword, 1, 1}, "plainauth(": {hintPassword, 2, 2},
	"getconnection(": {hintPassword, 2, 2}, "mysqli_connect(": {hintPassword, 2, 2}, "mysqli(": {hintPassword, 2, 2}, "new pdo(": {hintPassword, 2, 2}, "ftp_login(": {hintPassword, 2, 2},
	"basic(": {hintPassword, 1, 1}, "auth(": {hintPassword, 1, 1}, ".setpassword(": {hintPassword, 2, 2}, ".set_password(": {hintPassword, 2, 2}, // of key rings
	"jwt.sign(": {hintSecret, 1, 1}, "jwt.verify(": {hintSecret, 1, 1}, "jwt.encode(": {hintSecret, 1, 1}, "jwt.decode(": {hintSecret, 1, 1}, "hmac.new(": {hintSecret, 0, 1}, // Python, Go
	"createhmac(": {hintSecret, 1, 1}, "createcipheriv(": {hintSecret, 1, 1}, "createdecipheriv(": {hintSecret, 1, 1}, "hash_hmac(": {hintSecret, 2, 2}, "hmac.hexdigest(": {hintSecret, 1, 1},
	"fernet(": {hintSecret, 0, 0}, "secretbox(": {hintSecret, 0, 0}, "cookieparser(": {hintSecret, 0, 0}, "constructevent(": {hintSecret, 2, 2},
}

// findSecretArgument finds the secret among the arguments of a function.
func findSecretArgument(s *textScan, start, end int) {
	want := secretCalls[strings.ToLower(s.text[start:end])]
	at := end
	for i := 0; i <= want.last; i++ {
		v, after := readArgument(s.text, at)
		if after < 0 || i >= want.first && s.addArgument(want.hint, v) || after >= len(s.text) || s.text[after] != ',' {
			return
		}
		at = after + 1
	}
}

// readArgument reads an argument of a call, or a value in a list, and returns the place after it. That is
// -1 if the argument does not end on its line.
func readArgument(text string, at int) (v settingValue, after int) {
	a := assignmentParser{text: text, at: at}
	for strings.IndexByte(" \t\r\n", a.peekByte()) >= 0 {
		a.at++
	}
	a.skipConversion()
	a.skipStringPrefix()
	quote := quoteAt(text, a.at)
	v = settingValue{start: a.at + len(quote), style: styleCall, quoted: quote != ""}
	if v.end = argumentEnd(text, v.start, quote); v.end < 0 {
		return v, -1
	}
	return v, v.end + len(quote)
}

// addArgument adds an argument if it is a string that is a secret.
func (s *textScan) addArgument(c valueHint, v settingValue) bool {
	if c == hintNone || !v.quoted || !loadNameIndex().isSecret(c, &settingName{}, v, s.text) {
		return false
	}
	s.addNamedSecret(c, v.start, v.end)
	return true
}

// conversions make bytes of a string: []byte("...").
var conversions = []string{"[]byte(", "bytes(", "Buffer.from(", "base64.b64decode("}

// skipConversion skips the conversion of a string into bytes.
func (a *assignmentParser) skipConversion() {
	for _, c := range conversions {
		if strings.HasPrefix(a.remaining(), c) {
			a.at += len(c)
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
	for depth := 0; at < limit; at++ {
		switch text[at] {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		case '(', ';':
			return at
		case ',', ')':
			if depth <= 0 {
				return at
			}
		}
	}
	return -1
}

// findSQLPassword finds the password of an SQL user or a database: IDENTIFIED BY 'PASSWORD', PRAGMA key
// = 'PASSWORD'.
func findSQLPassword(s *textScan, _, end int) {
	lead := s.text[end:min(len(s.text), end+12)]
	at := end + len(lead) - len(strings.TrimLeft(lead, " \t"))
	for _, word := range []string{"password ", "values ", "= "} {
		if len(s.text) > at+len(word) && strings.EqualFold(s.text[at:at+len(word)], word) {
			at += len(word)
		}
	}
	if q := quoteAt(s.text, at); strings.HasSuffix(q, "'") {
		s.addFlagValue(at, false)
	}
}
