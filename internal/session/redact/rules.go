package redact

import (
	"cmp"
	_ "embed"
	"fmt"
	"math"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"

	"github.com/BurntSushi/toml"
)

var (
	//go:embed rules/gitleaks.toml
	gitleaksFile string
	//go:embed rules/own.toml
	ownFile string
)

// ruleFile is what a rule file says, as far as it is used here: rules over paths
// and commits have nothing to look at.
type ruleFile struct {
	Allowlist allowlist
	Rules     []ruleText
	Reach     map[string]int
}

type ruleText struct {
	ID          string
	Regex       string
	SecretGroup int
	Random      bool
	Entropy     float64
	Keywords    []string
	Allowlists  []allowlist
}

type allowlist struct {
	RegexTarget string
	Regexes     []string
	Stopwords   []string
}

// rule is one shape of secret. Its regexp is compiled when its keyword is first
// met.
type rule struct {
	kind        string
	text        ruleText
	nearKeyword bool // a match has a keyword in it and is at most reach bytes long
	reach       int
	prefix      rulePrefix
	compiled    func() *compiled
}

type compiled struct {
	find  *regexp.Regexp
	group int  // that holds the secret, 0 for the first that does
	whole bool // the groups are parts of the secret
	allow []allowed
}

type allowed struct {
	match     bool // looks at the whole match
	regexps   []*regexp.Regexp
	stopwords []string
}

// loadRules reads both files once; they are part of the program, so what is wrong
// with them is a mistake in it.
var loadRules = sync.OnceValue(func() []*rule {
	var theirs, ours ruleFile
	for file, text := range map[*ruleFile]string{&theirs: gitleaksFile, &ours: ownFile} {
		if _, err := toml.Decode(text, file); err != nil {
			panic(fmt.Sprintf("redact: reading a rule file: %v", err))
		}
	}
	everywhere := sync.OnceValue(func() allowed { return theirs.Allowlist.compileAllowlist() })
	replaced := map[string]bool{}
	for _, r := range ours.Rules {
		replaced[r.ID] = true
	}
	kept := slices.DeleteFunc(theirs.Rules, func(r ruleText) bool { return replaced[r.ID] })
	var all []*rule
	for _, r := range append(kept, ours.Rules...) {
		if r.Regex != "" {
			all = append(all, newRule(r, ours.Reach[r.ID], everywhere))
		}
	}
	return all
})

// newRule makes a rule; known is its reach where we know better, else 0.
func newRule(text ruleText, known int, everywhere func() allowed) *rule {
	text.Regex = loosenRegexp(text.Regex)
	tree, err := syntax.Parse(text.Regex, syntax.Perl)
	if err != nil {
		panic(fmt.Sprintf("redact: rule %s: %v", text.ID, err))
	}
	return &rule{
		kind:        strings.ReplaceAll(strings.ReplaceAll(text.ID, "-api-", "-"), "-", " "),
		text:        text,
		nearKeyword: known > 0 || requiresKeyword(tree, text.Keywords),
		reach:       cmp.Or(known, maxMatchLength(tree)),

		prefix: findRulePrefix(tree, text.Keywords),
		compiled: sync.OnceValue(func() *compiled {
			c := &compiled{find: regexp.MustCompile(text.Regex), group: text.SecretGroup, allow: []allowed{everywhere()}}
			c.whole = slices.ContainsFunc(c.find.SubexpNames(), func(name string) bool { return name != "" })
			for _, a := range text.Allowlists {
				c.allow = append(c.allow, a.compileAllowlist())
			}
			return c
		}),
	}
}

// What gitleaks' rules begin and end with. The beginning says nothing about the
// secret and costs most of the time. The end names what may follow a key in
// source code; in prose and tool output a key is also followed by other
// punctuation. Where a name goes before the secret, quotes around both may be
// escaped: JSON stands in strings of JSON.
const (
	leadIn      = `[\w.-]{0,50}?`
	endsInCode  = "(?:[\\x60'\"\\s;]|\\\\[nr]|$)"
	endsHere    = `(?:[^\w-]|$)`
	afterName   = `[\s'"]{0,3}`
	beforeValue = `[\x60'"\s=]{0,5}`
	afterValue  = "(?:[\\x60'\"\\s;\\\\,)<]|$)"
)

func loosenRegexp(regex string) string {
	regex = strings.ReplaceAll(regex, leadIn, "")
	if strings.HasPrefix(regex, `\b(`) || strings.HasPrefix(regex, `(?i)\b(`) {
		return strings.ReplaceAll(regex, endsInCode, endsHere)
	}
	return strings.NewReplacer(afterName, `[\s'"\\]{0,6}`, beforeValue, `[\x60'"\s=\\]{0,8}`, endsInCode, afterValue).Replace(regex)
}

func (a allowlist) compileAllowlist() allowed {
	out := allowed{match: a.RegexTarget != "", stopwords: a.Stopwords}
	for _, text := range a.Regexes {
		out.regexps = append(out.regexps, regexp.MustCompile(text))
	}
	return out
}

func (a allowed) allowsSecret(secret, match string) bool {
	if slices.ContainsFunc(a.stopwords, func(w string) bool { return strings.Contains(strings.ToLower(secret), w) }) {
		return true
	}
	if a.match {
		secret = match
	}
	return slices.ContainsFunc(a.regexps, func(re *regexp.Regexp) bool { return re.MatchString(secret) })
}

// findMatches calls found with the place of every secret between from and to. When a
// match touches the end, the secret may go on: find looks further and answers how
// far it has looked.
func (r *rule) findMatches(text string, from, to int, found func(start, end int)) int {
	c := r.compiled()
	for {
		grow := false
		for _, m := range c.find.FindAllStringSubmatchIndex(text[from:to], -1) {
			if grow = m[1] == to-from && to < len(text); grow {
				break
			}
			if start, end := c.secretSpan(text[from:to], m); r.isRealSecret(c, text[from+start:from+end], text[from+m[0]:from+m[1]]) {
				found(from+start, from+end)
			}
		}
		if !grow {
			return to
		}
		to = min(len(text), to+2*(to-from))
	}
}

// minGroupLength is the length below which a group is no secret but a part of one.
const minGroupLength = 6

// secretSpan is where the secret stands in a match: the rule's group, else the first
// that is not empty, else all of it.
func (c *compiled) secretSpan(text string, m []int) (start, end int) {
	for i := max(2, 2*c.group); i < len(m) && !c.whole; i += 2 {
		if m[i+1] > m[i] && m[i+1]-m[i] >= minGroupLength {
			return m[i], m[i+1]
		}
	}
	end = m[0] + len(strings.TrimRight(text[m[0]:m[1]], "\n"))
	return m[0], end
}

func (r *rule) isRealSecret(c *compiled, secret, match string) bool {
	if secret == "" || r.text.Entropy != 0 && shannonEntropy(secret) <= r.text.Entropy {
		return false
	}
	if r.text.Random && measureValue(secret).wordShare >= 0.5 {
		return false
	}
	return !slices.ContainsFunc(c.allow, func(a allowed) bool { return a.allowsSecret(secret, match) })
}

// shannonEntropy is Shannon's, in bits a character.
func shannonEntropy(text string) (bits float64) {
	var counts [256]int
	for i := range len(text) {
		counts[text[i]]++
	}
	for _, n := range counts {
		if n > 0 {
			p := float64(n) / float64(len(text))
			bits -= p * math.Log2(p)
		}
	}
	return bits
}
