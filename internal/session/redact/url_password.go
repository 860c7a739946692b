package redact

import (
	"strings"
)

const kindConnection = "connection string"

// maxAuthority is the maximum length of a URL's authority.
const maxAuthority = 400

// findUserInfo finds the password in a URL, scheme://user:PASSWORD@host, and a token in place of
// the user.
func findUserInfo(s *textScan, start, end int) {
	rest := s.text[end:min(len(s.text), end+maxAuthority)]
	if start == 0 || !isAlphanumeric(s.text[start-1]) || rest == "" {
		return
	}
	stop := strings.IndexFunc(rest, func(r rune) bool { return r <= ' ' || strings.ContainsRune("\"'`<>\\", r) })
	if stop >= 0 {
		rest = rest[:stop]
	}
	authority := rest
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		authority = rest[:i]
	}
	at := strings.LastIndexByte(authority, '@')
	if at < 0 && isStoreURL(s.text[:start]) { // the password of a database URL may hold reserved characters
		at = strings.LastIndexByte(rest, '@')
	}
	if at < 0 || at+1 >= len(rest) || !isHostByte(rest[at+1]) {
		return
	}
	user, password, ok := strings.Cut(rest[:at], ":")
	switch {
	case ok && isURLPassword(user, password):
		s.addSecret(kindConnection, end+len(user)+1, end+at)
	case !ok && measureValue(user).isVeryRandom() && !loadNameIndex().isPlaceholder(user):
		s.addSecret("token", end, end+at)
	}
}

func isHostByte(b byte) bool {
	return isAlphanumeric(b) || b == '[' || b == '$' || b == '{' || b == '%'
}

// isStoreURL reports whether a URL is that of a database or a queue.
func isStoreURL(before string) bool {
	end := len(before)
	start := end
	for start > 0 && end-start < 24 && (isAlphanumeric(before[start-1]) || before[start-1] == '+') {
		start--
	}
	scheme, _, _ := strings.Cut(strings.ToLower(before[start:end]), "+")
	return storeSchemes[scheme]
}

var storeSchemes = newStringSet(strings.Fields("postgres postgresql mysql mariadb mongodb redis rediss amqp amqps mssql sqlserver oracle clickhouse cockroachdb nats kafka mqtt ldap ldaps ftp sftp smb jdbc cassandra couchbase neo4j bolt"))

// isURLPassword reports whether a password in a URL is a secret.
func isURLPassword(user, password string) bool {
	if len(password) < 3 || password == user || strings.ContainsAny(password, "{}<>*") && loadNameIndex().isPlaceholder(password) {
		return false
	}
	return !strings.HasPrefix(password, "$") && !loadNameIndex().isPlaceholder(password)
}

// findDSNPassword finds the password in user:PASSWORD@tcp(host).
func findDSNPassword(s *textScan, start, _ int) {
	from := start
	for from > 0 && start-from < 200 && s.text[from-1] > ' ' && strings.IndexByte("\"'`=", s.text[from-1]) < 0 {
		from--
	}
	user, password, ok := strings.Cut(s.text[from:start], ":")
	if ok && isURLPassword(user, password) {
		s.addSecret(kindConnection, from+len(user)+1, start)
	}
}

// findBasicAuth finds a user name and a password in base64 after "Basic".
func findBasicAuth(s *textScan, start, end int) {
	if start > 0 && isWordByte(s.text[start-1]) && !isEscapeTail(s.text, start) {
		return
	}
	stop := end
	for stop < len(s.text) && stop-end < 400 && (isAlphanumeric(s.text[stop]) || strings.IndexByte("+/=_-", s.text[stop]) >= 0) {
		stop++
	}
	text := strings.TrimRight(s.text[end:stop], "=")
	if user, password, ok := decodeCredentials(text); ok && len(text) >= 8 && password != user && len(password) >= 3 && !loadNameIndex().isPlaceholder(password) {
		s.addSecret(hintKinds[hintAuth], end, stop)
	}
}

// findPgpassLine finds the password in a line of .pgpass: host:port:database:user:PASSWORD.
func findPgpassLine(s *textScan, start, end int) {
	from := start
	for from > 0 && start-from < 100 && s.text[from-1] > ' ' {
		from--
	}
	line := s.text[from:lineEndAt(s.text, start)]
	parts := strings.SplitN(line, ":", 5)
	if len(parts) < 5 || from+len(parts[0]) != start && s.text[start:end] != ":*:" || strings.ContainsAny(line, " \t\"'(){}/") {
		return
	}
	password := strings.TrimRight(parts[4], "\r")
	if isURLPassword(parts[3], password) && measureValue(password).length >= 4 {
		s.addSecret("password", from+len(line)-len(parts[4]), from+len(line)-len(parts[4])+len(password))
	}
}
