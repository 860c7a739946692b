package components

import "strconv"

// gridClass returns the class of the i-th line of a chart, from the bottom.
func gridClass(i int) string { return "y" + strconv.Itoa(i+1) }

// barTitle describes a bar.
func barTitle(b SpendBar) string {
	text := b.Title + ": " + b.Value
	if b.Left != "" {
		text += ", " + b.Left + " on branches you left"
	}
	return text
}
