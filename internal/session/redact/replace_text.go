package redact

import "strings"

// maxReplaceRounds limits how often RedactText searches again, because a replacement may uncover
// another finding next to it.
const maxReplaceRounds = 8

// RedactText returns text with findings replaced, and the number of replacements by kind. which
// maps the classes to replace to true, and the ids of values to keep to false (see ValueID). A
// home directory becomes "~", a name becomes a word for it, and everything else becomes a
// placeholder with its kind. A text that is JSON is also searched as JSON, so that escapes hide
// nothing.
func (r *Rules) RedactText(text string, which map[string]bool) (out string, counts map[string]int) {
	out = r.replaceUntilStable(text, which, countByKind(&counts))
	return out, counts
}

// noteFunc is called for each value that is found.
type noteFunc func(f Finding, value string)

// countByKind returns a noteFunc that counts findings by kind.
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

// isJSON reports whether a text looks like an object or array that holds a string.
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
