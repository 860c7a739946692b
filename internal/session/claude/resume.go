package claude

import (
	"strings"
	"unicode"

	"sessiontree/internal/session"
)

// resume is the command that continues a session from its directory. Nothing is
// offered for what no shell line holds.
func resume(h *session.Header) string {
	if strings.ContainsFunc(h.ID+h.Cwd, unicode.IsControl) {
		return ""
	}
	return "cd " + quote(h.Cwd) + " && claude --resume " + quote(h.ID)
}

// quote makes s one word of a shell.
func quote(s string) string {
	if s != "" && strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
