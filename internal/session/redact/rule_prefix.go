package redact

import (
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"
)

// rulePrefix is what is known of the matches of a rule that begin with a keyword. It is
// looked at first: that is faster than the regexp, and most keywords lead nowhere.
type rulePrefix struct {
	wordBoundary bool // a word begins there
	minLength    int  // how many bytes a match has at least that are no blanks, 0 unknown
}

// findRulePrefix returns what is known of the matches of re.
func findRulePrefix(re *syntax.Regexp, keywords []string) rulePrefix {
	var p rulePrefix
	parts := []*syntax.Regexp{re}
	if re.Op == syntax.OpConcat {
		parts = re.Sub
	}
	if len(parts) > 0 && parts[0].Op == syntax.OpWordBoundary {
		p.wordBoundary, parts = true, parts[1:]
	}
	if len(parts) > 0 && parts[0].Op == syntax.OpCapture {
		parts = []*syntax.Regexp{parts[0].Sub[0]}
	}
	if !beginsWithKeyword(parts, keywords) {
		return rulePrefix{}
	}
	for _, part := range parts {
		if hasBlank(part) {
			break
		}
		p.minLength += minMatchLength(part)
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
			run, ok = combineTexts(run, all)
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

// minMatchLength is the least length of a match of re in bytes.
func minMatchLength(re *syntax.Regexp) int {
	switch re.Op {
	case syntax.OpLiteral:
		return len(re.Rune)
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return 1
	case syntax.OpPlus, syntax.OpCapture:
		return minMatchLength(re.Sub[0])
	case syntax.OpRepeat:
		return re.Min * minMatchLength(re.Sub[0])
	case syntax.OpConcat:
		n := 0
		for _, sub := range re.Sub {
			n += minMatchLength(sub)
		}
		return n
	case syntax.OpAlternate:
		n := minMatchLength(re.Sub[0])
		for _, sub := range re.Sub[1:] {
			n = min(n, minMatchLength(sub))
		}
		return n
	}
	return 0
}

// hasBlank reports whether a blank, or what is no printable ASCII, may stand in a
// match of re.
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

// mayMatchAt reports whether a match may begin where a keyword stands.
func (p rulePrefix) mayMatchAt(text string, start int) bool {
	if p.wordBoundary && start > 0 && isWordByte(text[start-1]) {
		return false
	}
	if len(text)-start < p.minLength {
		return false
	}
	for i := start; i < start+p.minLength; i++ {
		if b := text[i]; b <= ' ' || b == '"' || b == '\'' || b == '`' {
			return false
		}
	}
	return true
}
