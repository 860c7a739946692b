// Package secrets makes up secrets as published rules describe them, and texts in
// which they stand. It knows nothing of the scanner that is to find them: what it
// makes is held against the published regular expressions alone.
package secrets

import (
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// Planted is a secret in a text.
type Planted struct {
	Rule  string // id of the rule that describes it
	Value string
	Text  string
}

// rule is what a published rule says, as far as it is used here.
type rule struct {
	ID          string
	Regex       string
	Entropy     float64
	SecretGroup int
	Keywords    []string
	Allowlists  []struct{ Regexes, Stopwords []string }
}

// Make makes n secrets by rules that are spread evenly over all of a rule file, but
// for those to be left out. The same seed makes the same ones.
func Make(file string, leaveOut []string, n int, seed uint64) ([]Planted, error) {
	var all struct {
		Rules     []rule
		Allowlist struct{ Regexes, Stopwords []string }
	}
	if _, err := toml.Decode(file, &all); err != nil {
		return nil, err
	}
	rules := slices.DeleteFunc(all.Rules, func(r rule) bool { return r.Regex == "" || slices.Contains(leaveOut, r.ID) })
	m := newMaker(seed)
	var made []Planted
	for i := range n {
		r := rules[i*len(rules)/n]
		r.Allowlists = append(r.Allowlists, all.Allowlist)
		p, err := m.plant(r)
		if err != nil {
			return nil, err
		}
		made = append(made, p)
	}
	return made, nil
}

// assigned are texts in which a secret belongs to a name, and bare ones in which its
// own form gives it away.
var (
	assigned = []string{"%s_TOKEN=%s\n", "%s_token = \"%s\"\n", "%s_api_key: '%s'\n", "{\"%s_token\": \"%s\"}", "export %s_SECRET=\"%s\"\n", "%sKey := \"%s\"\n"}
	bare     = []string{"it is %s\n", "token=%s\n", "Authorization: Bearer %s\n", "{\"key\": \"%s\"}", "TOKEN='%s'\n", "curl -H \"X-Key: %s\" x\n", "%s"}
)

type maker struct{ rand *rand.Rand }

func newMaker(seed uint64) *maker { return &maker{rand.New(rand.NewPCG(seed, seed))} }

// tries is how many secrets are made until one is as its rule says.
const tries = 2000

func (m *maker) plant(r rule) (Planted, error) {
	published, err := regexp.Compile(r.Regex)
	if err != nil {
		return Planted{}, fmt.Errorf("%s: %w", r.ID, err)
	}
	tree, err := syntax.Parse(r.Regex, syntax.Perl)
	if err != nil {
		return Planted{}, fmt.Errorf("%s: %w", r.ID, err)
	}
	part, named := secretOf(tree), strings.Contains(r.Regex, `[\w.-]{0,50}?`)
	var allowed []*regexp.Regexp
	var stopwords []string
	for _, a := range r.Allowlists {
		stopwords = append(stopwords, a.Stopwords...)
		for _, re := range a.Regexes {
			allowed = append(allowed, regexp.MustCompile(re))
		}
	}
	for try := range tries {
		value, text := "", m.write(tree)+"\n" // with all that the rule wants to stand around it
		if try < tries/2 {
			value = strings.TrimSpace(m.write(part))
			text = fmt.Sprintf(m.form(bare), value)
		}
		if named && value != "" {
			text = fmt.Sprintf(m.form(assigned), m.form(r.Keywords), value)
		}
		if !r.known(text) { // nobody looks without one of its words
			text = "# " + m.form(r.Keywords) + "\n" + text
		}
		secret := r.secret(published, text)
		if slices.ContainsFunc(stopwords, func(w string) bool { return strings.Contains(strings.ToLower(secret), w) }) ||
			slices.ContainsFunc(allowed, func(re *regexp.Regexp) bool { return re.MatchString(secret) }) {
			continue
		}
		if secret != "" && (value == "" || strings.Contains(value, secret)) {
			return Planted{r.ID, secret, text}, nil
		}
	}
	return Planted{}, fmt.Errorf("%s: nothing was made that it describes", r.ID)
}

func (m *maker) form(all []string) string { return all[m.rand.IntN(len(all))] }

// secretOf is the part of a rule's regexp that is the secret, or all of it.
func secretOf(tree *syntax.Regexp) *syntax.Regexp {
	todo := []*syntax.Regexp{tree}
	for len(todo) > 0 {
		re := todo[0]
		todo = append(todo[1:], re.Sub...)
		if re.Op == syntax.OpCapture && re.Cap == 1 && re.Name == "" {
			return re
		}
	}
	return tree
}

// known reports whether one of the rule's words is in text.
func (r *rule) known(text string) bool {
	return len(r.Keywords) == 0 || slices.ContainsFunc(r.Keywords, func(k string) bool { return strings.Contains(strings.ToLower(text), k) })
}

// short is the length below which a group is a part of a secret and none.
const short = 8

// secret is what the published rule takes for one in text, "" for nothing.
func (r *rule) secret(published *regexp.Regexp, text string) string {
	m := published.FindStringSubmatch(text)
	if m == nil {
		return ""
	}
	secret := m[0]
	for i := max(1, r.SecretGroup); i < len(m); i++ {
		if len(m[i]) >= short {
			secret = m[i]
			break
		}
	}
	if secret = strings.TrimRight(secret, "\n"); r.Entropy > 0 && entropy(secret) <= r.Entropy+0.1 || len(secret) < short {
		return ""
	}
	return secret
}

// entropy is Shannon's, in bits a character.
func entropy(text string) (bits float64) {
	counts := map[rune]float64{}
	for _, r := range text {
		counts[r]++
	}
	for _, n := range counts {
		p := n / float64(len([]rune(text)))
		bits -= p * math.Log2(p)
	}
	return bits
}
