package regexpinfo

import (
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"
)

// Prefix describes the beginning of matches, if they begin with a keyword. Checking it first is
// faster than the regexp, and most keywords begin no match.
type Prefix struct {
	WordBoundary bool // a word boundary precedes the keyword
	MinLength    int  // minimum number of bytes without white space, 0 if unknown
}

// FindPrefix returns the prefix of the matches of re.
func FindPrefix(re *syntax.Regexp, keywords []string) Prefix {
	var p Prefix
	parts := []*syntax.Regexp{re}
	if re.Op == syntax.OpConcat {
		parts = re.Sub
	}
	if len(parts) > 0 && parts[0].Op == syntax.OpWordBoundary {
		p.WordBoundary, parts = true, parts[1:]
	}
	if len(parts) > 0 && parts[0].Op == syntax.OpCapture {
		parts = []*syntax.Regexp{parts[0].Sub[0]}
	}
	if !beginsWithKeyword(parts, keywords) {
		return Prefix{}
	}
	for _, part := range parts {
		if hasBlank(part) {
			break
		}
		p.MinLength += minLength(part)
	}
	return p
}

// beginsWithKeyword reports whether every match of parts begins with a keyword.
func beginsWithKeyword(parts []*syntax.Regexp, keywords []string) bool {
	begins := func(text string) bool {
		return slices.ContainsFunc(keywords, func(k string) bool { return strings.HasPrefix(text, strings.ToLower(k)) })
	}
	run := []string{""}
	for i, part := range parts {
		if part.Op == syntax.OpCapture || part.Op == syntax.OpConcat {
			return beginsWithKeyword(slices.Concat(part.Sub, parts[i+1:]), keywords) && (i == 0 || len(run) == 1 && run[0] == "")
		}
		if part.Op == syntax.OpAlternate && len(run) == 1 {
			if !slices.ContainsFunc(part.Sub, func(sub *syntax.Regexp) bool {
				return !beginsWithKeyword([]*syntax.Regexp{literalRegexp(run[0]), sub}, keywords)
			}) {
				return true
			}
		}
		all, ok := spellTexts(part)
		if ok {
			run, ok = joinEachPair(run, all)
		}
		if !ok {
			return false
		}
		if !slices.ContainsFunc(run, func(text string) bool { return !begins(text) }) {
			return true
		}
	}
	return false
}

func literalRegexp(text string) *syntax.Regexp {
	return &syntax.Regexp{Op: syntax.OpLiteral, Rune: []rune(text)}
}

// minLength returns the minimum length in bytes of a match of re.
func minLength(re *syntax.Regexp) int {
	switch re.Op {
	case syntax.OpLiteral:
		return len(re.Rune)
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return 1
	case syntax.OpPlus, syntax.OpCapture:
		return minLength(re.Sub[0])
	case syntax.OpRepeat:
		return re.Min * minLength(re.Sub[0])
	case syntax.OpConcat:
		n := 0
		for _, sub := range re.Sub {
			n += minLength(sub)
		}
		return n
	case syntax.OpAlternate:
		n := minLength(re.Sub[0])
		for _, sub := range re.Sub[1:] {
			n = min(n, minLength(sub))
		}
		return n
	}
	return 0
}

// hasBlank reports whether a match of re may hold white space or bytes other than printable ASCII.
func hasBlank(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpLiteral:
		return slices.ContainsFunc(re.Rune, func(r rune) bool { return r <= ' ' || r >= utf8.RuneSelf })
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return true
	case syntax.OpCharClass:
		for i := 0; i < len(re.Rune); i += 2 {
			if lo, hi := re.Rune[i], re.Rune[i+1]; lo <= ' ' || hi >= utf8.RuneSelf && lo != 'ſ' && lo != '\u212A' {
				return true
			}
		}
	}
	return slices.ContainsFunc(re.Sub, hasBlank)
}
