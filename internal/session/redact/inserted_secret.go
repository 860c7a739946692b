package redact

import (
	"slices"
	"strings"
)

// maxInsert is the maximum length of an INSERT statement that is searched.
const maxInsert = 4 << 10

// findInsertedSecret finds the values of columns with secrets in INSERT INTO table (column, ...)
// VALUES (value, ...).
func findInsertedSecret(s *textScan, _, end int) {
	limit := min(len(s.text), end+maxInsert)
	_, list, ok := strings.Cut(s.text[end:limit], "(")
	if !ok {
		return
	}
	columns, rest, ok := strings.Cut(list, ")")
	values := strings.TrimLeft(rest, " \t\r\n")
	if !ok || len(values) < len("values") || !strings.EqualFold(values[:len("values")], "values") {
		return
	}
	hints := columnHints(columns)
	if !slices.ContainsFunc(hints, func(c valueHint) bool { return c != hintNone }) {
		return
	}
	for at := limit - len(values) + len("values"); at >= 0; {
		for at < limit && strings.IndexByte(" \t\r\n,", s.text[at]) >= 0 {
			at++
		}
		if at >= limit || s.text[at] != '(' {
			return
		}
		at = s.addRowSecrets(hints, at+1, limit)
	}
}

// columnHints returns the hints of the columns in a list.
func columnHints(columns string) (hints []valueHint) {
	for column := range strings.SplitSeq(columns, ",") {
		hints = append(hints, loadNameIndex().hintFor(strings.Trim(column, " \t\r\n\"`[]")))
	}
	return hints
}

// addRowSecrets adds the secrets of a row. It returns the place after the row, or -1.
func (s *textScan) addRowSecrets(hints []valueHint, at, limit int) int {
	for _, c := range hints {
		v, after := readArgument(s.text, at)
		if after < 0 || v.end > limit {
			return -1
		}
		s.addArgument(c, v)
		switch {
		case after >= limit:
			return -1
		case s.text[after] == ')':
			return after + 1
		case s.text[after] != ',':
			return -1
		}
		at = after + 1
	}
	return -1
}
