package redact

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode"

	"sessiontree/internal/session/rowtext"
)

// valueIDPrefix begins the ids of values. No class begins with it.
const valueIDPrefix = "value:"

// ValueID returns an id of a value that does not reveal it. The options of RedactText and
// RedactJSON accept ids as well as classes: a value whose id maps to false is kept, whatever its
// class.
func ValueID(value string) string {
	sum := sha256.Sum256([]byte(value))
	return valueIDPrefix + hex.EncodeToString(sum[:8])
}

// IsValueID reports whether a key of these options is the id of a value rather than a class.
func IsValueID(name string) bool { return strings.HasPrefix(name, valueIDPrefix) }

// removeSpared removes the findings whose values are to be kept.
func removeSpared(text string, found []Finding, which map[string]bool) []Finding {
	marks := false
	for name := range which {
		marks = marks || IsValueID(name)
	}
	if !marks {
		return found
	}
	left := found[:0]
	for _, f := range found {
		if redacted, isListed := which[ValueID(text[f.Start:f.End])]; redacted || !isListed {
			left = append(left, f)
		}
	}
	return left
}

// Value is a sensitive value and how often it was found.
type Value struct {
	Class, Kind string
	ID          string
	Excerpt     string // enough to recognize the value; the middle of a key is hidden
	Count       int
}

// FindValues lists the values in a line that RedactJSON would replace, each once, in the order of
// their first occurrence.
func (r *Rules) FindValues(line []byte) ([]Value, error) {
	var all []Value
	at := map[string]int{}
	_, _, err := r.replaceInJSON(line, allClasses, func(f Finding, value string) {
		mark := ValueID(value)
		i, known := at[mark]
		if !known {
			i, at[mark] = len(all), len(all)
			all = append(all, Value{Class: f.Class, Kind: f.Kind, ID: mark, Excerpt: excerptOf(f.Class, value)})
		}
		all[i].Count++
	})
	return all, err
}

var allClasses = map[string]bool{ClassKeys: true, ClassPersonal: true}

// excerptOf returns a value as it may be shown: on one line, and of a key only its ends.
func excerptOf(class, value string) string {
	const most, head, tail = 59, 12, 3
	r := []rune(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			return ' '
		}
		return r
	}, value))
	if class == ClassKeys {
		return string(r[:min(head, len(r)/4)]) + "••••••••" + string(r[len(r)-min(tail, len(r)/8):])
	}
	return rowtext.Cut(string(r), most)
}
