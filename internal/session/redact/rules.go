package redact

import (
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"math"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"

	"github.com/BurntSushi/toml"

	"sessiontree/internal/session/redact/regexpinfo"
)

var (
	//go:embed rules/gitleaks.toml
	gitleaksFile string
	//go:embed rules/own.toml
	ownFile string
)

// ruleFile holds the parts of a rule file that are used here. Rules for paths and commits do not
// apply.
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

// rule is one form of secret. Its regexp is compiled when its keyword is first found.
type rule struct {
	kind        string
	text        ruleText
	nearKeyword bool // a match contains a keyword and is at most reach bytes long
	reach       int
	prefix      regexpinfo.Prefix
	compiled    func() *compiled
}

type compiled struct {
	find  *regexp.Regexp
	group int  // the group with the secret, 0 for the first suitable one
	whole bool // the groups are parts of the secret
	allow []allowed
}

type allowed struct {
	match     bool // it applies to the whole match
	regexps   []*regexp.Regexp
	stopwords []string
}

// loadRules reads both files once. They are embedded, so an error in them is a programming error,
// with which the program redacts nothing and therefore shares and pushes nothing.
var loadRules = sync.OnceValue(func() []*rule {
	all, err := parseRules(gitleaksFile, ownFile)
	if err != nil {
		panic(fmt.Sprintf("redact: reading a rule file: %v", err))
	}
	return all
})

// parseRules returns the rules of gitleaks' file that ours does not replace, and ours.
func parseRules(gitleaks, own string) ([]*rule, error) {
	var theirs, ours ruleFile
	if _, err := toml.Decode(gitleaks, &theirs); err != nil {
		return nil, err
	}
	if _, err := toml.Decode(own, &ours); err != nil {
		return nil, err
	}
	if len(theirs.Rules) == 0 || len(ours.Rules) == 0 {
		return nil, errors.New("no rules")
	}
	everywhere := sync.OnceValue(func() allowed { return theirs.Allowlist.compileAllowlist() })
	replaced := map[string]bool{}
	for _, r := range ours.Rules {
		replaced[r.ID] = true
	}
	kept := slices.DeleteFunc(theirs.Rules, func(r ruleText) bool { return replaced[r.ID] })
	var all []*rule
	for _, text := range append(kept, ours.Rules...) {
		if text.Regex == "" {
			continue
		}
		r, err := newRule(text, ours.Reach[text.ID], everywhere)
		if err != nil {
			return nil, fmt.Errorf("rule %s: %w", text.ID, err)
		}
		all = append(all, r)
	}
	return all, nil
}

// newRule returns a rule. known is its reach if it is known better, else 0.
func newRule(text ruleText, known int, everywhere func() allowed) (*rule, error) {
	text.Regex = loosenRegexp(text.Regex)
	tree, err := syntax.Parse(text.Regex, syntax.Perl)
	if err != nil {
		return nil, err
	}
	return &rule{
		kind:        strings.ReplaceAll(strings.ReplaceAll(text.ID, "-api-", "-"), "-", " "),
		text:        text,
		nearKeyword: known > 0 || regexpinfo.RequiresKeyword(tree, text.Keywords),
		reach:       cmp.Or(known, regexpinfo.MaxLength(tree)),

		prefix: regexpinfo.FindPrefix(tree, text.Keywords),
		compiled: sync.OnceValue(func() *compiled {
			c := &compiled{find: regexp.MustCompile(text.Regex), group: text.SecretGroup, allow: []allowed{everywhere()}}
			c.whole = slices.ContainsFunc(c.find.SubexpNames(), func(name string) bool { return name != "" })
			for _, a := range text.Allowlists {
				c.allow = append(c.allow, a.compileAllowlist())
			}
			return c
		}),
	}, nil
}

// The beginnings and ends of gitleaks' rules. The beginning says nothing about the secret and takes
// most of the time. The end lists what may follow a key in source code; in prose and tool output
// other punctuation may follow, too. If a name precedes the secret, quotes around both may be
// escaped, because JSON may be nested in strings of JSON.
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

// findMatches calls found with the place of every secret between from and to. If a match touches
// the end, the secret may be longer, so the search extends further. It returns the offset up to
// which it searched.
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

// minGroupLength is the minimum length of a group that is a secret by itself.
const minGroupLength = 6

// secretSpan returns the place of the secret in a match: the rule's group, else the first group
// that is long enough, else the whole match.
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

// shannonEntropy returns the entropy of a text in bits per character.
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
