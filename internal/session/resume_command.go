package session

import (
	"strings"
	"unicode"
)

// ResumeCommand is the line for a shell that continues session id by an agent's
// command: from the session's directory, because that is where agents look for it.
// Nothing is offered for what no shell line holds.
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

// shellWord makes s one word of a shell.
func shellWord(s string) string {
	if s != "" && strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
