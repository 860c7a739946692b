// Package rowtext makes short texts for rows, titles and lists.
package rowtext

import "strings"

// OneLine returns s on one line: every run of white space becomes one blank, and none is
// left at the ends.
func OneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// Cut returns the first n characters of s. Where s has more, "…" takes the place of the
// rest and of the blanks before it.
func Cut(s string, n int) string {
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
