package redact

import "strings"

// rounds is how often Replace looks again: taking one thing out may uncover
// another that it stood beside.
const rounds = 8

// Replace answers text with what is asked for replaced, by class and, where it
// differs, by the Mark of a value; and how often by kind. A home directory becomes
// "~", a name a word for it, everything else says what it was. A text that is JSON is
// looked through as such as well: escapes in it hide nothing.
func (r *Rules) Replace(text string, which map[string]bool) (out string, counts map[string]int) {
	out = r.replace(text, which, counting(&counts))
	return out, counts
}

// note takes in that a value was found.
type note func(f Finding, value string)

// counting counts by kind.
func counting(counts *map[string]int) note {
	return func(f Finding, _ string) {
		if *counts == nil {
			*counts = map[string]int{}
		}
		(*counts)[f.Kind]++
	}
}

func (r *Rules) replace(text string, which map[string]bool, take note) string {
	for range rounds {
		before := text
		if isJSON(text) {
			if line, changed, err := r.json([]byte(text), which, take); err == nil && changed {
				text = string(line)
			}
		}
		if found := r.find(text, which); len(found) > 0 {
			text = replaced(text, found, take)
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

func replaced(text string, found []Finding, take note) string {
	var b strings.Builder
	at := 0
	for _, f := range found {
		b.WriteString(text[at:f.Start])
		b.WriteString(f.mask())
		at = f.End
		take(f, text[f.Start:f.End])
	}
	b.WriteString(text[at:])
	return b.String()
}

func (f Finding) mask() string {
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
