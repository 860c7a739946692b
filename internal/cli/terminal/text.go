package terminal

import (
	"fmt"
	"strings"
)

// Pluralize returns a number with the word for it.
func Pluralize(n int32, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprint(n, " ", more)
}

// CleanLine makes a text fit into one line: line breaks become spaces, control characters
// become visible.
func CleanLine(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t' || r == '\r' || r == '\u2028' || r == '\u2029':
			return ' '
		case IsControl(r):
			return '\ufffd'
		}
		return r
	}, s)
}

// FormatSize returns a number of bytes in a unit that people read.
func FormatSize(n int64) string {
	switch {
	case n >= 1e9:
		return fmt.Sprintf("%.1f GB", float64(n)/1e9)
	case n >= 1e6:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	case n >= 1e3:
		return fmt.Sprintf("%.1f KB", float64(n)/1e3)
	}
	return fmt.Sprintf("%d bytes", n)
}
