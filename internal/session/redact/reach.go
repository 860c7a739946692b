package redact

import (
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"
)

// Where a regexp sets no limit, a repetition is taken to be this long. A match
// that touches the end of its window makes the window grow, so the figure decides
// only over what is longer and has something fixed behind it.
const (
	unbounded = 4 << 10
	reachMax  = 64 << 10
)

// reach is the greatest length of a match of re in bytes, at most reachMax.
func reach(re *syntax.Regexp) int {
	n := 0
	switch re.Op {
	case syntax.OpLiteral:
		for _, r := range re.Rune {
			n += utf8.RuneLen(r)
		}
	case syntax.OpCharClass:
		n = classWidth(re.Rune)
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		n = utf8.UTFMax
	case syntax.OpStar, syntax.OpPlus:
		n = max(unbounded, reach(re.Sub[0]))
	case syntax.OpRepeat:
		if n = unbounded; re.Max >= 0 {
			n = re.Max * reach(re.Sub[0])
		}
		n = max(n, re.Min*reach(re.Sub[0]))
	case syntax.OpAlternate:
		for _, sub := range re.Sub {
			n = max(n, reach(sub))
		}
	default: // a group, a sequence, an option; what matches no byte has no parts
		for _, sub := range re.Sub {
			n += reach(sub)
		}
	}
	return min(n, reachMax)
}

// classWidth is how many bytes a character of a class takes. The two letters
// outside ASCII that (?i) adds to k and s count as one: no secret has them.
func classWidth(ranges []rune) int {
	for i := 0; i < len(ranges); i += 2 {
		if lo, hi := ranges[i], ranges[i+1]; hi >= utf8.RuneSelf && !(lo == hi && (lo == 'ſ' || lo == '\u212A')) {
			return utf8.UTFMax
		}
	}
	return 1
}

// needs reports whether every match of re has one of the keywords in it, so that
// it is enough to look around them.
func needs(re *syntax.Regexp, keywords []string) bool {
	if all, ok := exact(re); ok {
		return hasAll(all, keywords)
	}
	switch re.Op {
	case syntax.OpCapture, syntax.OpPlus:
		return needs(re.Sub[0], keywords)
	case syntax.OpRepeat:
		return re.Min > 0 && needs(re.Sub[0], keywords)
	case syntax.OpAlternate:
		return !slices.ContainsFunc(re.Sub, func(sub *syntax.Regexp) bool { return !needs(sub, keywords) })
	case syntax.OpConcat:
		return sequenceNeeds(re.Sub, keywords)
	}
	return false
}

// sequenceNeeds is needs for parts one after the other: one of them does, or a run
// of parts that spell out few texts.
func sequenceNeeds(parts []*syntax.Regexp, keywords []string) bool {
	run := []string{""}
	for _, part := range parts {
		all, ok := exact(part)
		if ok {
			run, ok = product(run, all)
		}
		if !ok {
			run = []string{""}
			if needs(part, keywords) {
				return true
			}
		}
		if hasAll(run, keywords) {
			return true
		}
	}
	return false
}

func hasAll(texts, keywords []string) bool {
	return !slices.ContainsFunc(texts, func(text string) bool {
		return !slices.ContainsFunc(keywords, func(k string) bool { return strings.Contains(text, strings.ToLower(k)) })
	})
}

// few is how many texts are spelled out at most.
const few = 64

// exact spells out, in lower case, every text that re matches, when they are few.
func exact(re *syntax.Regexp) ([]string, bool) {
	switch re.Op {
	case syntax.OpLiteral:
		return []string{strings.ToLower(string(re.Rune))}, true
	case syntax.OpEmptyMatch, syntax.OpWordBoundary, syntax.OpBeginText, syntax.OpEndText:
		return []string{""}, true
	case syntax.OpCharClass:
		return exactClass(re.Rune)
	case syntax.OpCapture:
		return exact(re.Sub[0])
	case syntax.OpQuest:
		all, ok := exact(re.Sub[0])
		return append(all, ""), ok
	case syntax.OpAlternate:
		return exactAny(re.Sub)
	case syntax.OpConcat:
		return exactSequence(re.Sub)
	}
	return nil, false
}

func exactClass(ranges []rune) (all []string, ok bool) {
	for i := 0; i < len(ranges); i += 2 {
		if ranges[i+1]-ranges[i] > few {
			return nil, false
		}
		for r := ranges[i]; r <= ranges[i+1]; r++ {
			all = append(all, strings.ToLower(string(r)))
		}
	}
	slices.Sort(all)
	all = slices.Compact(all)
	return all, len(all) <= 8
}

func exactAny(parts []*syntax.Regexp) (all []string, ok bool) {
	for _, part := range parts {
		texts, ok := exact(part)
		if !ok || len(all)+len(texts) > few {
			return nil, false
		}
		all = append(all, texts...)
	}
	return all, true
}

func exactSequence(parts []*syntax.Regexp) (all []string, ok bool) {
	all, ok = []string{""}, true
	for _, part := range parts {
		texts, fine := exact(part)
		if !fine {
			return nil, false
		}
		if all, ok = product(all, texts); !ok {
			return nil, false
		}
	}
	return all, true
}

func product(a, b []string) (all []string, ok bool) {
	if len(a)*len(b) > few {
		return nil, false
	}
	for _, x := range a {
		for _, y := range b {
			all = append(all, x+y)
		}
	}
	return all, true
}
