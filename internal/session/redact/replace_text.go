package redact

import "strings"

// maxReplaceRounds is how often Replace looks again: taking one thing out may uncover
// another that it stood beside.
const maxReplaceRounds = 8

// RedactText answers text with what is asked for replaced, by class and, where it
// differs, by the Mark of a value; and how often by kind. A home directory becomes
// "~", a name a word for it, everything else says what it was. A text that is JSON is
// looked through as such as well: escapes in it hide nothing.
func (r *Rules) RedactText(text string, which map[string]bool) (out string, counts map[string]int) {
	out = r.replaceUntilStable(text, which, countByKind(&counts))
	return out, counts
}

// noteFunc takes in that a value was found.
type noteFunc func(f Finding, value string)

// countByKind counts by kind.
func countByKind(counts *map[string]int) noteFunc {
	return func(f Finding, _ string) {
		if *counts == nil {
			*counts = map[string]int{}
		}
		(*counts)[f.Kind]++
	}
}

func (r *Rules) replaceUntilStable(text string, which map[string]bool, take noteFunc) string {
	for range maxReplaceRounds {
		before := text
		if isJSON(text) {
			if line, changed, err := r.replaceInJSON([]byte(text), which, take); err == nil && changed {
				text = string(line)
			}
		}
		if found := r.findClasses(text, which); len(found) > 0 {
			text = replaceFindings(text, found, take)
		}
		if text == before {
			break
		}
	}
	return text
}

// isJSON reports whether a text looks like an object or array with a string in it.
func isJSON(text string) bool {
	text = strings.TrimSpace(text)
	if len(text) < len(`[""]`) || !strings.Contains(text, `"`) {
		return false
	}
	first, last := text[0], text[len(text)-1]
	return first == '{' && last == '}' || first == '[' && last == ']'
}

func replaceFindings(text string, found []Finding, take noteFunc) string {
	var b strings.Builder
	at := 0
	for _, f := range found {
		b.WriteString(text[at:f.Start])
		b.WriteString(f.replacement())
		at = f.End
		take(f, text[f.Start:f.End])
	}
	b.WriteString(text[at:])
	return b.String()
}

func (f Finding) replacement() string {
	switch f.Kind {
	case kindHome:
		return "~"
	case kindUser:
		return "user"
	case kindHost:
		return "host"
	case kindProject:
		return "."
	case kindProjectSlug:
		return "project"
	}
	return "[redacted: " + f.Kind + "]"
}
