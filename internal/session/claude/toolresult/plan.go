package toolresult

import (
	"fmt"
	"strings"
)

// PlanTitle returns the heading of a plan, else the number of its steps, else its text.
func PlanTitle(plan string) string {
	text, steps := strings.TrimSpace(plan), 0
	if heading := strings.TrimLeft(text, "#"); heading != text {
		heading, _, _ = strings.Cut(heading, "\n")
		return strings.TrimSpace(heading)
	}
	for line := range strings.Lines(text) {
		if rest := strings.TrimLeft(line, "0123456789"); rest != line && (strings.HasPrefix(rest, ". ") || strings.HasPrefix(rest, ") ")) {
			steps++
		}
	}
	if steps > 1 {
		return fmt.Sprintf("%d steps", steps)
	}
	return text
}
