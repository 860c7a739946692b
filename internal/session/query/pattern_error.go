package query

import (
	"errors"
	"regexp/syntax"
	"strings"
)

// patternErrors are the problems of regular expressions in words.
var patternErrors = map[syntax.ErrorCode]string{
	syntax.ErrMissingParen:          "the ( is never closed",
	syntax.ErrUnexpectedParen:       "the ) has no (",
	syntax.ErrMissingBracket:        "the [ is never closed",
	syntax.ErrMissingRepeatArgument: "nothing to repeat",
	syntax.ErrTrailingBackslash:     "nothing after the last \\",
}

// explainPatternError returns why a regular expression is not valid and where, in bytes.
func explainPatternError(pattern string, err error) (reason string, offset int) {
	var e *syntax.Error
	if !errors.As(err, &e) {
		return err.Error(), 0
	}
	reason, ok := patternErrors[e.Code]
	if !ok {
		reason = string(e.Code) + ": " + e.Expr
	}
	switch e.Code {
	case syntax.ErrMissingParen:
		return reason, findUnbalanced(pattern, '(')
	case syntax.ErrUnexpectedParen:
		return reason, findUnbalanced(pattern, ')')
	case syntax.ErrTrailingBackslash:
		return reason, len(pattern) - 1
	}
	return reason, max(0, strings.LastIndex(pattern, e.Expr))
}

// findUnbalanced returns the offset of the last ( that is not closed, or of the first ) that
// closes nothing.
func findUnbalanced(pattern string, paren byte) int {
	var open []int
	inClass := false
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '\\':
			i++
		case inClass:
			inClass = c != ']'
		case c == '[':
			inClass = true
		case c == '(':
			open = append(open, i)
		case c == ')' && len(open) > 0:
			open = open[:len(open)-1]
		case c == ')' && paren == ')':
			return i
		}
	}
	if len(open) == 0 {
		return 0
	}
	return open[len(open)-1]
}
