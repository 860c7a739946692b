package components

import "strconv"

// gridClass returns the class of the i-th line of a chart, from the bottom.
func gridClass(i int) string { return "chart-grid-" + strconv.Itoa(i+1) }

// barTabIndex returns the tabindex of the i-th bar. Tab reaches the last one, from which the
// arrow keys move.
func barTabIndex(c SpendChart, i int) string {
	if i == len(c.Bars)-1 {
		return "0"
	}
	return "-1"
}

// barTitle describes a bar.
func barTitle(b SpendBar) string {
	text := b.Title + ": " + b.Value
	if b.Left != "" {
		text += ", " + b.Left + " on branches you left"
	}
	return text
}
