package session

import (
	"strings"
	"unicode"
)

// ResumeCommand returns a shell line that continues session id with an agent's command,
// in the session's directory, because agents look for it there. It returns "" if the
// line would contain control characters.
func ResumeCommand(cwd, command, id string) string {
	if id == "" || strings.ContainsFunc(id+cwd, unicode.IsControl) {
		return ""
	}
	command += " " + shellWord(id)
	if cwd != "" {
		command = "cd " + shellWord(cwd) + " && " + command
	}
	return command
}

// shellWord quotes s as one shell word.
func shellWord(s string) string {
	if s != "" && strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
