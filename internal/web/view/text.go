package view

import (
	"fmt"
	"path"
	"strings"
	"unicode/utf8"

	"sessiontree/internal/session"
	"sessiontree/internal/session/rowtext"
)

// EscapeInvisible replaces characters that reorder or hide the text around them: bidi
// overrides and isolates by their code points, control characters by pictures. It keeps
// line breaks and tabs.
func EscapeInvisible(s string) string {
	i := indexInvisible(s)
	if i < 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 16)
	b.WriteString(s[:i])
	for _, r := range s[i:] {
		switch {
		case !IsInvisible(r):
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

// indexInvisible returns the index of the first invisible character, or -1.
func indexInvisible(s string) int {
	for i := 0; i < len(s); {
		if c := s[i]; c >= 0x20 && c < 0x7f { // most text; decoding it takes several times as long
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if IsInvisible(r) {
			return i
		}
		i += size
	}
	return -1
}

// IsInvisible reports whether r is a control character that text does not need, or one that
// changes the direction of text.
func IsInvisible(r rune) bool {
	switch {
	case r == '\n' || r == '\t' || r == '\r':
		return false
	case r < 0x20, r >= 0x7f && r < 0xa0:
		return true
	case r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069, r == 0x2028, r == 0x2029:
		return true
	case r >= 0xe0000 && r <= 0xe007f: // invisible tag characters
		return true
	}
	return false
}

// OneLine is s on one line, without doubled blanks.
func OneLine(s string) string { return rowtext.OneLine(EscapeInvisible(s)) }

// CutBytes truncates s to at most n bytes at a safe place: the last blank line, line end or
// rune. It reports whether it did.
func CutBytes(s string, n int) (string, bool) {
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

// CutLines truncates s to n lines and returns the number of lines left out.
func CutLines(s string, n int) (head string, left int) {
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

// HomePath returns a path with the home directory as "~".
func HomePath(p, home string) string {
	if home == "/" {
		return p
	}
	return session.HomePath(p, home)
}

// ShortPath returns a path relative to the working directory if it is below it, otherwise
// with "~".
func ShortPath(p, cwd, home string) string {
	if cwd != "" && cwd != "/" && strings.HasPrefix(p, cwd+"/") {
		return p[len(cwd)+1:]
	}
	return HomePath(p, home)
}

// ProjectName returns the name of a session's working directory.
func ProjectName(t *session.Tree) string { return ProjectNameOfDir(t.Header().Cwd) }

// ProjectNameOfDir returns the name of a working directory.
func ProjectNameOfDir(cwd string) string { return EscapeInvisible(LastPathElement(cwd)) }

// LastPathElement returns the last element of a working directory.
func LastPathElement(cwd string) string {
	if cwd == "" {
		return ""
	}
	return path.Base(strings.ReplaceAll(cwd, `\`, "/"))
}
