package redact

import "strings"

// storeCommands are the ends of commands that store secrets, before their names and values.
var storeCommands = []string{
	"secret set", "secrets set", "secret put", "secrets put", "secret add", "secret create", "secrets create", "versions add", "env add", "env set", "env:set", "config:set",
	"variable set", "variables set", "variables --set", "kv put", "kv patch", "config set --secret", "bundle config", "http-basic.", "--from-literal", "encrypt_string", "--with-token",
}

// findStoredSecret finds the secrets in the rest of a command that stores them, and one that is piped
// into it. Their names say nothing about them, so they must look random.
func findStoredSecret(s *textScan, start, end int) {
	if end < len(s.text) && !isShellBreak(s.text[end]) && s.text[end] != '=' && s.text[end-1] != '.' {
		return
	}
	findPipedPassword(s, start, end)
	stop := end
	for stop < len(s.text) && stop-end < maxFlagDistance && !endsCommand(s.text, stop) {
		stop++
	}
	for at := max(end, s.storedEnd); at < stop; at++ {
		from := at
		for at < stop && !isShellBreak(s.text[at]) {
			at++
		}
		if word := assignedValue(s.text[from:at]); isStoredValue(word) {
			s.addSecret("secret", at-len(word), at)
		}
	}
	s.storedEnd = max(s.storedEnd, stop)
}

// assignedValue returns the value in NAME=VALUE, or all of a word.
func assignedValue(word string) string {
	for {
		i := strings.IndexByte(word, '=')
		if i < 0 || strings.Trim(word[i:], "=") == "" { // the padding of base64
			return word
		}
		word = word[i+1:]
	}
}

// isStoredValue reports whether a word of a command looks like a secret.
func isStoredValue(word string) bool {
	if len(word) < 16 || len(word) == 40 && isHexHash(word) || loadNameIndex().isPlaceholder(word) || isKnownForm(word) {
		return false
	}
	l := measureValue(word)
	return l.isRandom() && l.digits > 0 && !isFilePath(word, l)
}

// findPipedPassword finds a password that is piped into a command, echo PASSWORD | sudo -S, and a
// password in a here-string after <<<.
func findPipedPassword(s *textScan, start, end int) {
	if s.text[start:end] == "<<<" {
		if isAboutSecret(s.text[max(0, start-60):start]) {
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
	if i < 0 || pipe < i || strings.Contains(line[i:], "\n") || strings.ContainsAny(line[pipe:], ";&") {
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

// isAboutSecret reports whether the beginning of a command speaks of a secret.
func isAboutSecret(command string) bool {
	command = strings.ToLower(command)
	return strings.Contains(command, "pass") || strings.Contains(command, "secret") || strings.Contains(command, "token") || strings.Contains(command, "login")
}
