// Package filediff parses the diffs that agents record, and computes what the edits of a
// file on a path change together.
package filediff

import "strconv"

// Line is a line of a diff.
type Line struct {
	Sign     byte // '+', '-', ' ', Gap, or 0 for a line that is no part of a diff
	Old, New int  // its numbers before and after, 0 = unknown
	Text     string
}

// Gap is the sign of a line that stands for lines left out.
const Gap = '@'

// gapLine stands for lines left out.
var gapLine = Line{Sign: Gap, Text: "…"}

// CountChanges returns how many lines a diff adds and removes.
func CountChanges(lines []Line) (added, removed int) {
	for i := range lines {
		switch lines[i].Sign {
		case '+':
			added++
		case '-':
			removed++
		}
	}
	return added, removed
}

// FormatNumber formats the number of a line, "" if it is unknown.
func FormatNumber(n int) string {
	if n <= 0 {
		return ""
	}
	return strconv.Itoa(n)
}
