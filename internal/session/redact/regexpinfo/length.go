// Package regexpinfo describes what regular expressions match, so that a search can skip most of a
// text.
package regexpinfo

import (
	"regexp/syntax"
	"unicode/utf8"
)

// Where a regexp sets no limit, repetitions are assumed to have this length. A match that touches
// the end of its window makes the window grow, so the limit matters only for longer matches that
// end in a fixed part.
const (
	unboundedLength = 4 << 10
	maxLength       = 64 << 10
)

// MaxLength returns the maximum length in bytes of a match of re, at most maxLength.
func MaxLength(re *syntax.Regexp) int {
	n := 0
	switch re.Op {
	case syntax.OpLiteral:
		for _, r := range re.Rune {
			n += utf8.RuneLen(r)
		}
	case syntax.OpCharClass:
		n = classByteWidth(re.Rune)
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		n = utf8.UTFMax
	case syntax.OpStar, syntax.OpPlus:
		n = max(unboundedLength, MaxLength(re.Sub[0]))
	case syntax.OpRepeat:
		if n = unboundedLength; re.Max >= 0 {
			n = re.Max * MaxLength(re.Sub[0])
		}
		n = max(n, re.Min*MaxLength(re.Sub[0]))
	case syntax.OpAlternate:
		for _, sub := range re.Sub {
			n = max(n, MaxLength(sub))
		}
	default: // a group, a sequence or an option; what matches no byte has no parts
		for _, sub := range re.Sub {
			n += MaxLength(sub)
		}
	}
	return min(n, maxLength)
}

// classByteWidth returns the maximum number of bytes of a character in a class. The two letters
// outside ASCII that (?i) adds to k and s count as one byte, because no secret has them.
func classByteWidth(ranges []rune) int {
	for i := 0; i < len(ranges); i += 2 {
		if lo, hi := ranges[i], ranges[i+1]; hi >= utf8.RuneSelf && !(lo == hi && (lo == 'ſ' || lo == '\u212A')) {
			return utf8.UTFMax
		}
	}
	return 1
}
