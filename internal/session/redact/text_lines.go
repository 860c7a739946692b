package redact

import "strings"

// byteSpan is a part of a text.
type byteSpan struct{ start, end int }

// textLine is a line of a text without the prefix of a tool: a line number, or the sign of a diff.
type textLine struct {
	byteSpan     // its content, without white space around it
	indent   int // indentation of the content
	next     int // start of the next line
}

// lineAt returns the line that begins at a place.
func lineAt(text string, at int) textLine {
	l := textLine{byteSpan: byteSpan{at, len(text)}, next: len(text)}
	if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
		l.end, l.next = at+i, at+i+1
	}
	from := at + linePrefixLength(text[at:l.end])
	l.start = from
	for l.start < l.end && (text[l.start] == ' ' || text[l.start] == '\t') {
		l.start++
	}
	l.indent = l.start - from
	for l.end > l.start && text[l.end-1] <= ' ' {
		l.end--
	}
	return l
}

// linePrefixLength returns the length of a line number with its separator, or of the sign of a
// diff.
func linePrefixLength(line string) int {
	at := 0
	for at < len(line) && at < 12 && line[at] == ' ' {
		at++
	}
	digits := at
	for digits < len(line) && digits < at+8 && isDigit(line[digits]) {
		digits++
	}
	if digits > at {
		for _, sign := range []string{"→", "\t", ": ", ":", " | ", "| ", "|", "- "} {
			if strings.HasPrefix(line[digits:], sign) {
				return digits + len(sign)
			}
		}
	}
	if line != "" && (line[0] == '+' || line[0] == '-' && !strings.HasPrefix(line, "- ") && !strings.HasPrefix(line, "---") || line[0] == '>' || line[0] == '<') {
		return 1
	}
	return 0
}

// lineStartAt returns the start of the line at a place.
func lineStartAt(text string, at int) int {
	return at - len(text[max(0, at-maxValue):at]) + strings.LastIndexByte(text[max(0, at-maxValue):at], '\n') + 1
}

// maxBlock is the maximum length of a block of lines.
const maxBlock = 64 << 10

// indentedLines returns the lines below the one at a place that are indented further.
func indentedLines(text string, at, end int) (all []textLine) {
	top := lineAt(text, lineStartAt(text, at))
	for next := top.next; next < len(text) && next-end < maxBlock; {
		l := lineAt(text, next)
		if l.start < l.end {
			if l.indent <= top.indent {
				break
			}
			all = append(all, l)
		}
		next = l.next
	}
	return all
}
