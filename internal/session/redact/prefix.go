package redact

import (
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"
)

// prefix is what is known of the matches of a rule that begin with a keyword. It is
// looked at first: that is faster than the regexp, and most keywords lead nowhere.
type prefix struct {
	bound bool // a word begins there
	least int  // how many bytes a match has at least that are no blanks, 0 unknown
}

// prefixOf returns what is known of the matches of re.
func prefixOf(re *syntax.Regexp, keywords []string) prefix {
	var p prefix
	parts := []*syntax.Regexp{re}
	if re.Op == syntax.OpConcat {
		parts = re.Sub
	}
	if len(parts) > 0 && parts[0].Op == syntax.OpWordBoundary {
		p.bound, parts = true, parts[1:]
	}
	if len(parts) > 0 && parts[0].Op == syntax.OpCapture {
		parts = []*syntax.Regexp{parts[0].Sub[0]}
	}
	if !beginWith(parts, keywords) {
		return prefix{}
	}
	for _, part := range parts {
		if hasBlank(part) {
			break
		}
		p.least += shortest(part)
	}
	return p
}

// beginWith reports whether every match of parts begins with a keyword.
func beginWith(parts []*syntax.Regexp, keywords []string) bool {
	begins := func(text string) bool {
		return slices.ContainsFunc(keywords, func(k string) bool { return strings.HasPrefix(text, strings.ToLower(k)) })
	}
	run := []string{""}
	for i, part := range parts {
		if part.Op == syntax.OpCapture || part.Op == syntax.OpConcat {
			return beginWith(slices.Concat(part.Sub, parts[i+1:]), keywords) && (i == 0 || len(run) == 1 && run[0] == "")
		}
		if part.Op == syntax.OpAlternate && len(run) == 1 {
			if !slices.ContainsFunc(part.Sub, func(sub *syntax.Regexp) bool {
				return !beginWith([]*syntax.Regexp{literal(run[0]), sub}, keywords)
			}) {
				return true
			}
		}
		all, ok := exact(part)
		if ok {
			run, ok = product(run, all)
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

func literal(text string) *syntax.Regexp {
	return &syntax.Regexp{Op: syntax.OpLiteral, Rune: []rune(text)}
}

// shortest is the least length of a match of re in bytes.
func shortest(re *syntax.Regexp) int {
	switch re.Op {
	case syntax.OpLiteral:
		return len(re.Rune)
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return 1
	case syntax.OpPlus, syntax.OpCapture:
		return shortest(re.Sub[0])
	case syntax.OpRepeat:
		return re.Min * shortest(re.Sub[0])
	case syntax.OpConcat:
		n := 0
		for _, sub := range re.Sub {
			n += shortest(sub)
		}
		return n
	case syntax.OpAlternate:
		n := shortest(re.Sub[0])
		for _, sub := range re.Sub[1:] {
			n = min(n, shortest(sub))
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

// fits reports whether a match may begin where a keyword stands.
func (p prefix) fits(text string, start int) bool {
	if p.bound && start > 0 && wordByte(text[start-1]) {
		return false
	}
	if len(text)-start < p.least {
		return false
	}
	for i := start; i < start+p.least; i++ {
		if b := text[i]; b <= ' ' || b == '"' || b == '\'' || b == '`' {
			return false
		}
	}
	return true
}
