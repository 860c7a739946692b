package components

import (
	"strings"

	"github.com/a-h/templ"
)

// class returns the attribute class with names, for what pages contain by the thousand.
// Unlike class={ ... } it does not allocate two maps to look for duplicates.
func class(names ...string) templ.OrderedAttributes {
	return templ.OrderedAttributes{{Key: "class", Value: strings.Join(names, " ")}}
}

// appendIf returns the class names with one more if on is true.
func appendIf(names string, on bool, name string) string {
	if on {
		return names + " " + name
	}
	return names
}
