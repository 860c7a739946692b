package redact

import (
	"math/rand/v2"
	"regexp/syntax"
	"slices"
	"strings"
	"testing"

	"sessiontree/internal/slowtest"
)

// wholeText lists the rules that search a whole text if it holds their keyword. Their regexps do
// not require the keyword, which must be a rare one.
var wholeText = []string{"facebook-access-token", "sidekiq-sensitive-url", "slack-config-access-token", "slack-webhook-url"}

func TestRulesAreRead(t *testing.T) {
	if n := len(loadRules()); n < 230 {
		t.Errorf("%d rules", n)
	}
	var whole []string
	for _, r := range loadRules() {
		if len(r.text.Keywords) == 0 {
			t.Errorf("%s has no keyword", r.text.ID)
		}
		if r.text.ID == "generic-api-key" {
			t.Error("the rule by entropy is in use")
		}
		if !r.nearKeyword {
			whole = append(whole, r.text.ID)
		}
	}
	if slices.Sort(whole); !slices.Equal(whole, wholeText) {
		t.Errorf("rules over whole texts: %q", whole)
	}
}

// With a rule file that is damaged, whichever of both, there is no redactor that finds less than
// it should.
func TestParseRules_damaged(t *testing.T) {
	whole, err := parseRules(gitleaksFile, ownFile)
	if err != nil {
		t.Fatal(err)
	}
	damages := map[string]func(string) string{
		"empty":           func(string) string { return "" },
		"half":            func(text string) string { return text[:len(text)/2] },
		"a bad rule":      func(text string) string { return strings.Replace(text, "\nregex = '''", "\nregex = '''(", 1) },
		"no text":         func(string) string { return "\x00\x01" },
		"not a rule file": func(string) string { return "title = 'x'" },
	}
	for name, damage := range damages {
		for _, files := range [][2]string{{damage(gitleaksFile), ownFile}, {gitleaksFile, damage(ownFile)}} {
			if rules, err := parseRules(files[0], files[1]); err == nil {
				t.Errorf("%s: %d rules of %d without an error", name, len(rules), len(whole))
			}
		}
	}
}

// TestWindowsLoseNothing checks that searching around keywords finds the same as searching the
// whole text: for every rule, in texts generated from its regexp.
func TestWindowsLoseNothing(t *testing.T) {
	slowtest.SkipIfShort(t)
	random := rand.New(rand.NewPCG(5, 7))
	r := New(Options{})
	for _, rule := range r.rules {
		tree, err := syntax.Parse(rule.text.Regex, syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		for range 20 {
			text := filler(random) + write(tree, random) + " " + filler(random) + write(tree, random) + "\n" + filler(random)
			if !rule.nearKeyword {
				text += rule.text.Keywords[0]
			}
			if !hasKeyword(text, rule.text.Keywords) {
				continue // no keyword triggers the rule
			}
			got := r.Find(text)
			rule.findMatches(text, 0, len(text), func(start, end int) {
				found++
				if !slices.ContainsFunc(got, func(f Finding) bool { return f.Start <= start && end <= f.End }) {
					t.Errorf("%s: %q is found in the whole text only", rule.text.ID, text[start:end])
				}
			})
		}
		if found == 0 {
			t.Errorf("%s: nothing was made that it finds", rule.text.ID)
		}
	}
}

func hasKeyword(text string, keywords []string) bool {
	return slices.ContainsFunc(keywords, func(k string) bool {
		return strings.Contains(text, k) || k == strings.ToLower(k) && strings.Contains(strings.ToLower(text), k)
	})
}

func filler(random *rand.Rand) string {
	return strings.Repeat("nothing to see, ", random.IntN(60))
}

// write returns a text that re matches.
func write(re *syntax.Regexp, random *rand.Rand) string {
	var b strings.Builder
	times := func(low, high int) {
		for range low + random.IntN(high-low+1) {
			b.WriteString(write(re.Sub[0], random))
		}
	}
	switch re.Op {
	case syntax.OpLiteral:
		b.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		b.WriteByte(choose(re.Rune, random))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteByte(" xyz."[random.IntN(5)])
	case syntax.OpCapture:
		times(1, 1)
	case syntax.OpQuest:
		times(0, 1)
	case syntax.OpStar:
		times(0, 3)
	case syntax.OpPlus:
		times(1, 30)
	case syntax.OpRepeat:
		high := re.Max
		if high < 0 || high > re.Min+100 {
			high = re.Min + 100
		}
		times(re.Min, high)
	case syntax.OpAlternate:
		b.WriteString(write(re.Sub[random.IntN(len(re.Sub))], random))
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			b.WriteString(write(sub, random))
		}
	}
	return b.String()
}

// choose returns a printable character of a class, or any other if there is none.
func choose(ranges []rune, random *rand.Rand) byte {
	var all []byte
	for i := 0; i < len(ranges); i += 2 {
		for r := max(ranges[i], ' '); r <= min(ranges[i+1], '~'); r++ {
			all = append(all, byte(r))
		}
	}
	if len(all) == 0 {
		return byte(ranges[0])
	}
	return all[random.IntN(len(all))]
}
