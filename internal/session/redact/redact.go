package redact

import (
	"cmp"
	"slices"
	"strings"

	"sessiontree/internal/session/bools"
	"sessiontree/internal/session/redact/regexpinfo"
)

// The classes of findings.
const (
	ClassKeys     = "keys"
	ClassPersonal = "personal"
)

// Finding is a sensitive value and its place in a text.
type Finding struct {
	Kind       string // for viewers: "anthropic key", "home path"
	Start, End int    // in bytes
	Class      string // ClassKeys, ClassPersonal or ClassNames
	named      bool   // found by its name and not by its form
}

// Options is the personal data of the user who shares. Empty fields are not searched for.
type Options struct{ Home, User, Host string }

// Rules finds secrets and personal data. It is safe for concurrent use.
type Rules struct {
	rules    []*rule
	personal personalOptions
	words    *wordMatcher
	uses     [][]wordUse // by word
}

// wordUse is what a word triggers: a rule, a detector, or a finder of personal data.
type wordUse struct {
	rule   int
	exact  string // the word in its exact case, "" for any case
	detect detector
	look   personalFinder
	hidden bool
}

// New returns the rules for one user on one machine.
func New(o Options) *Rules {
	r := &Rules{rules: loadRules(), personal: newPersonal(o)}
	var all []string
	ids := map[string]int{}
	add := func(word string, u wordUse) {
		id, ok := ids[word]
		if !ok {
			id = len(all)
			ids[word], all, r.uses = id, append(all, word), append(r.uses, nil)
		}
		r.uses[id] = append(r.uses[id], u)
	}
	for i, rule := range r.rules {
		for _, word := range rule.text.Keywords {
			u := wordUse{rule: i}
			if lower := strings.ToLower(word); lower != word {
				u.exact = word
			}
			add(strings.ToLower(word), u)
		}
	}
	for _, word := range secretNameWords {
		add(word, wordUse{detect: findSetting})
	}
	for word, find := range wordDetectors() {
		add(word, wordUse{detect: find})
	}
	for _, word := range hiddenSequences {
		add(word, wordUse{hidden: true})
	}
	for word, look := range r.personal.finders() {
		add(word, wordUse{look: look})
	}
	r.words = newWordMatcher(all)
	return r
}

// Find returns the findings in text, in order and without overlaps.
func (r *Rules) Find(text string) []Finding { return r.findClasses(text, allClasses) }

func (r *Rules) findClasses(text string, which map[string]bool) []Finding {
	s := r.scanText(text, which)
	if s.hidden { // hidden characters may split a secret, or separate two texts
		p := removeHidden(text)
		for _, f := range r.scanText(p.text, which).found {
			s.found = append(s.found, p.mapToOriginal(f))
		}
	}
	return removeSpared(text, mergeFindings(s.found), which)
}

// scanText searches a text once.
func (r *Rules) scanText(text string, which map[string]bool) *textScan {
	s := &textScan{rules: r, text: text}
	keys := which[ClassKeys]
	r.words.eachMatch(text, func(word, end, length int) {
		for i := range r.uses[word] {
			switch u := &r.uses[word][i]; {
			case u.hidden:
				s.hidden = true
			case u.look != nil:
				if f, ok := u.look(text, end); ok && which[f.Class] {
					s.found = append(s.found, f)
				}
			case !keys:
			case u.detect != nil:
				u.detect(s, end-length, end)
			case strings.HasSuffix(text[:end], u.exact):
				s.addWindow(u.rule, end-length, end)
			}
		}
	})
	s.matchRules()
	return s
}

// window is a part of a text that a rule checks.
type window struct{ rule, from, to int }

// addWindow adds the window in which rule i can match around a keyword. One more byte on each side
// lets the regexp see word boundaries.
func (s *textScan) addWindow(i, start, end int) {
	rule := s.rules.rules[i]
	w := window{i, 0, len(s.text)}
	switch {
	case rule.prefix.MinLength > 0:
		if !mayMatchAt(rule.prefix, s.text, start) {
			return
		}
		w = window{i, max(0, start-1), min(len(s.text), end+rule.reach+1)}
	case rule.nearKeyword:
		w = window{i, max(0, end-rule.reach-1), min(len(s.text), end+rule.reach+1)}
	}
	s.windows = append(s.windows, w)
}

// mayMatchAt reports whether a match with a prefix may begin at a keyword.
func mayMatchAt(p regexpinfo.Prefix, text string, start int) bool {
	if p.WordBoundary && start > 0 && isWordByte(text[start-1]) {
		return false
	}
	if len(text)-start < p.MinLength {
		return false
	}
	for i := start; i < start+p.MinLength; i++ {
		if b := text[i]; b <= ' ' || b == '"' || b == '\'' || b == '`' {
			return false
		}
	}
	return true
}

// matchRules applies every rule to its windows. It joins windows that touch, so that a rule checks
// no byte twice.
func (s *textScan) matchRules() {
	slices.SortFunc(s.windows, func(a, b window) int { return cmp.Or(a.rule-b.rule, a.from-b.from) })
	for i := 0; i < len(s.windows); {
		w := s.windows[i]
		for i++; i < len(s.windows) && s.windows[i].rule == w.rule && s.windows[i].from <= w.to; i++ {
			w.to = max(w.to, s.windows[i].to)
		}
		rule := s.rules.rules[w.rule]
		seen := rule.findMatches(s.text, w.from, w.to, func(start, end int) { s.addSecret(rule.kind, start, end) })
		for i < len(s.windows) && s.windows[i].rule == w.rule && s.windows[i].to <= seen {
			i++
		}
	}
}

// mergeFindings sorts findings and joins those that overlap, so that everything that one of them
// covers is replaced. The kind of a key takes precedence over personal data, and a longer finding
// over a shorter one.
func mergeFindings(all []Finding) []Finding {
	slices.SortFunc(all, func(a, b Finding) int {
		return cmp.Or(a.Start-b.Start, b.End-a.End, cmp.Compare(a.Class, b.Class), bools.Compare(a.named, b.named), cmp.Compare(a.Kind, b.Kind))
	})
	out := all[:0]
	for _, f := range all {
		if n := len(out); n > 0 && f.Start < out[n-1].End {
			last := &out[n-1]
			if last.Class == ClassPersonal && f.Class == ClassKeys || last.named && !f.named && f.Class == ClassKeys {
				last.Kind, last.Class, last.named = f.Kind, f.Class, f.named
			}
			last.End = max(last.End, f.End)
			continue
		}
		out = append(out, f)
	}
	return out
}
