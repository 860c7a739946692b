package view

import (
	"fmt"
	"path"
	"strings"
	"unicode/utf8"

	"sessiontree/internal/session"
)

// escapeInvisible shows characters that would reorder or hide text around them: bidi
// overrides and isolates by their number, control characters as pictures. Line
// breaks and tabs stay.
func escapeInvisible(s string) string {
	i := strings.IndexFunc(s, isInvisible)
	if i < 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 16)
	b.WriteString(s[:i])
	for _, r := range s[i:] {
		switch {
		case !isInvisible(r):
			b.WriteRune(r)
		case r < 0x20:
			b.WriteRune('\u2400' + r)
		case r == 0x7f:
			b.WriteRune('\u2421')
		default:
			fmt.Fprintf(&b, "[U+%04X]", r)
		}
	}
	return b.String()
}

func isInvisible(r rune) bool {
	switch {
	case r == '\n' || r == '\t' || r == '\r':
		return false
	case r < 0x20, r >= 0x7f && r < 0xa0:
		return true
	case r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069, r == 0x2028, r == 0x2029:
		return true
	case r >= 0xe0000 && r <= 0xe007f: // tag characters: text that no one sees
		return true
	}
	return false
}

// oneLine is s on one line, without doubled blanks.
func oneLine(s string) string { return strings.Join(strings.Fields(escapeInvisible(s)), " ") }

// cutRunes cuts s to n runes, with an ellipsis when something was cut.
func cutRunes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	count := 0
	for i := range s {
		if count == n {
			return strings.TrimRight(s[:i], " ") + "…"
		}
		count++
	}
	return s
}

// cutBytes cuts s to at most n bytes at a safe place: the last blank line, else
// line, else rune. It reports whether anything was cut.
func cutBytes(s string, n int) (string, bool) {
	if len(s) <= n {
		return s, false
	}
	end := n
	for end > 0 && n-end < utf8.UTFMax-1 && !utf8.RuneStart(s[end]) {
		end--
	}
	s = s[:end]
	if i := strings.LastIndex(s, "\n\n"); i > n/2 {
		return s[:i+1], true
	}
	if i := strings.LastIndexByte(s, '\n'); i > n/2 {
		return s[:i+1], true
	}
	return s, true
}

// cutLines cuts s after n lines and counts the lines left out.
func cutLines(s string, n int) (head string, left int) {
	s = strings.TrimRight(s, "\n")
	at := 0
	for range n {
		i := strings.IndexByte(s[at:], '\n')
		if i < 0 {
			return s, 0
		}
		at += i + 1
	}
	return s[:at-1], strings.Count(s[at:], "\n") + 1
}

// homePath writes a path with the home directory as "~".
func homePath(p, home string) string {
	if home == "/" {
		return p
	}
	return session.HomePath(p, home)
}

// shortPath writes a path as short as it stays clear: relative to the working
// directory, else with "~".
func shortPath(p, cwd, home string) string {
	if cwd != "" && cwd != "/" && strings.HasPrefix(p, cwd+"/") {
		return p[len(cwd)+1:]
	}
	return homePath(p, home)
}

// ProjectName names the directory that a session was in.
func ProjectName(t *session.Tree) string { return ProjectNameOfDir(t.Header().Cwd) }

// ProjectNameOfDir names a working directory.
func ProjectNameOfDir(cwd string) string { return escapeInvisible(lastPathElement(cwd)) }

// lastPathElement is the last element of a working directory.
func lastPathElement(cwd string) string {
	if cwd == "" {
		return ""
	}
	return path.Base(strings.ReplaceAll(cwd, `\`, "/"))
}
