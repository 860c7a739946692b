package redact

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode"
)

// valueIDPrefix begins the marks of values, which no class is called by.
const valueIDPrefix = "value:"

// ValueID names a value without telling it. In what Replace and JSON are asked for it
// stands beside the classes: with false the value stays, whatever its class.
func ValueID(value string) string {
	sum := sha256.Sum256([]byte(value))
	return valueIDPrefix + hex.EncodeToString(sum[:8])
}

// IsValueID reports whether a name is that of a value and not of a class.
func IsValueID(name string) bool { return strings.HasPrefix(name, valueIDPrefix) }

// removeSpared takes out what is to stay.
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
		if redacted, said := which[ValueID(text[f.Start:f.End])]; redacted || !said {
			left = append(left, f)
		}
	}
	return left
}

// Value is something that should not be shared, and how often it was found.
type Value struct {
	Class, Kind string
	ID          string
	Excerpt     string // enough to know it by; a key's middle is hidden
	Count       int
}

// FindValues lists what JSON would replace in a line, each value once, in the order in
// which they are found.
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

// excerptOf is a value as whoever shares is shown it: on one line, and of a key only
// its ends.
func excerptOf(class, value string) string {
	const most, head, tail = 60, 12, 3
	r := []rune(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			return ' '
		}
		return r
	}, value))
	if class == ClassKeys {
		return string(r[:min(head, len(r)/4)]) + "••••••••" + string(r[len(r)-min(tail, len(r)/8):])
	}
	if len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return string(r)
}
