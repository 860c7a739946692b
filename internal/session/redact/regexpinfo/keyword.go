package regexpinfo

import (
	"regexp/syntax"
	"slices"
	"strings"
)

// RequiresKeyword reports whether every match of re contains one of the keywords, so that only the
// text around them needs to be searched.
func RequiresKeyword(re *syntax.Regexp, keywords []string) bool {
	if all, ok := spellTexts(re); ok {
		return allHaveKeyword(all, keywords)
	}
	switch re.Op {
	case syntax.OpCapture, syntax.OpPlus:
		return RequiresKeyword(re.Sub[0], keywords)
	case syntax.OpRepeat:
		return re.Min > 0 && RequiresKeyword(re.Sub[0], keywords)
	case syntax.OpAlternate:
		return !slices.ContainsFunc(re.Sub, func(sub *syntax.Regexp) bool { return !RequiresKeyword(sub, keywords) })
	case syntax.OpConcat:
		return sequenceRequiresKeyword(re.Sub, keywords)
	}
	return false
}

// sequenceRequiresKeyword is RequiresKeyword for a sequence of parts: one of them requires a
// keyword, or a run of parts spells few texts that do.
func sequenceRequiresKeyword(parts []*syntax.Regexp, keywords []string) bool {
	run := []string{""}
	for _, part := range parts {
		all, ok := spellTexts(part)
		if ok {
			run, ok = joinEachPair(run, all)
		}
		if !ok {
			run = []string{""}
			if RequiresKeyword(part, keywords) {
				return true
			}
		}
		if allHaveKeyword(run, keywords) {
			return true
		}
	}
	return false
}

func allHaveKeyword(texts, keywords []string) bool {
	return !slices.ContainsFunc(texts, func(text string) bool {
		return !slices.ContainsFunc(keywords, func(k string) bool { return strings.Contains(text, strings.ToLower(k)) })
	})
}

// maxSpelledTexts is the maximum number of texts that are spelled out.
const maxSpelledTexts = 64

// spellTexts lists, in lower case, every text that re matches, if there are only few.
func spellTexts(re *syntax.Regexp) ([]string, bool) {
	switch re.Op {
	case syntax.OpLiteral:
		return []string{strings.ToLower(string(re.Rune))}, true
	case syntax.OpEmptyMatch, syntax.OpWordBoundary, syntax.OpBeginText, syntax.OpEndText:
		return []string{""}, true
	case syntax.OpCharClass:
		return spellClass(re.Rune)
	case syntax.OpCapture:
		return spellTexts(re.Sub[0])
	case syntax.OpQuest:
		all, ok := spellTexts(re.Sub[0])
		return append(all, ""), ok
	case syntax.OpAlternate:
		return spellAlternatives(re.Sub)
	case syntax.OpConcat:
		return spellSequence(re.Sub)
	}
	return nil, false
}

func spellClass(ranges []rune) (all []string, ok bool) {
	for i := 0; i < len(ranges); i += 2 {
		if ranges[i+1]-ranges[i] > maxSpelledTexts {
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

func spellAlternatives(parts []*syntax.Regexp) (all []string, ok bool) {
	for _, part := range parts {
		texts, ok := spellTexts(part)
		if !ok || len(all)+len(texts) > maxSpelledTexts {
			return nil, false
		}
		all = append(all, texts...)
	}
	return all, true
}

func spellSequence(parts []*syntax.Regexp) (all []string, ok bool) {
	all, ok = []string{""}, true
	for _, part := range parts {
		texts, fine := spellTexts(part)
		if !fine {
			return nil, false
		}
		if all, ok = joinEachPair(all, texts); !ok {
			return nil, false
		}
	}
	return all, true
}

// joinEachPair returns every text of a followed by every text of b. ok is false if they are
// too many.
func joinEachPair(a, b []string) (all []string, ok bool) {
	if len(a)*len(b) > maxSpelledTexts {
		return nil, false
	}
	for _, x := range a {
		for _, y := range b {
			all = append(all, x+y)
		}
	}
	return all, true
}
