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

// PlantedSecret is a secret in a text.
type PlantedSecret struct {
	Rule  string // id of the rule that describes it
	Value string
	Text  string
}

// publishedRule is what a published rule says, as far as it is used here.
type publishedRule struct {
	ID          string
	Regex       string
	Entropy     float64
	SecretGroup int
	Keywords    []string
	Allowlists  []struct{ Regexes, Stopwords []string }
}

// MakeSecrets makes n secrets by rules that are spread evenly over all of a rule file, but
// for those to be left out. The same seed makes the same ones.
func MakeSecrets(file string, leaveOut []string, n int, seed uint64) ([]PlantedSecret, error) {
	var all struct {
		Rules     []publishedRule
		Allowlist struct{ Regexes, Stopwords []string }
	}
	if _, err := toml.Decode(file, &all); err != nil {
		return nil, err
	}
	rules := slices.DeleteFunc(all.Rules, func(r publishedRule) bool { return r.Regex == "" || slices.Contains(leaveOut, r.ID) })
	m := newSecretMaker(seed)
	var made []PlantedSecret
	for i := range n {
		r := rules[i*len(rules)/n]
		r.Allowlists = append(r.Allowlists, all.Allowlist)
		p, err := m.plantSecret(r)
		if err != nil {
			return nil, err
		}
		made = append(made, p)
	}
	return made, nil
}

// assignedForms are texts in which a secret belongs to a name, and bare ones in which its
// own form gives it away.
var (
	assignedForms = []string{"%s_TOKEN=%s\n", "%s_token = \"%s\"\n", "%s_api_key: '%s'\n", "{\"%s_token\": \"%s\"}", "export %s_SECRET=\"%s\"\n", "%sKey := \"%s\"\n"}
	bareForms     = []string{"it is %s\n", "token=%s\n", "Authorization: Bearer %s\n", "{\"key\": \"%s\"}", "TOKEN='%s'\n", "curl -H \"X-Key: %s\" x\n", "%s"}
)

type secretMaker struct{ rand *rand.Rand }

func newSecretMaker(seed uint64) *secretMaker { return &secretMaker{rand.New(rand.NewPCG(seed, seed))} }

// maxTries is how many secrets are made until one is as its rule says.
const maxTries = 2000

func (m *secretMaker) plantSecret(r publishedRule) (PlantedSecret, error) {
	published, err := regexp.Compile(r.Regex)
	if err != nil {
		return PlantedSecret{}, fmt.Errorf("%s: %w", r.ID, err)
	}
	tree, err := syntax.Parse(r.Regex, syntax.Perl)
	if err != nil {
		return PlantedSecret{}, fmt.Errorf("%s: %w", r.ID, err)
	}
	part, named := secretGroup(tree), strings.Contains(r.Regex, `[\w.-]{0,50}?`)
	var allowed []*regexp.Regexp
	var stopwords []string
	for _, a := range r.Allowlists {
		stopwords = append(stopwords, a.Stopwords...)
		for _, re := range a.Regexes {
			allowed = append(allowed, regexp.MustCompile(re))
		}
	}
	for try := range maxTries {
		value, text := "", m.generateMatch(tree)+"\n" // with all that the rule wants to stand around it
		if try < maxTries/2 {
			value = strings.TrimSpace(m.generateMatch(part))
			text = fmt.Sprintf(m.pickForm(bareForms), value)
		}
		if named && value != "" {
			text = fmt.Sprintf(m.pickForm(assignedForms), m.pickForm(r.Keywords), value)
		}
		if !r.hasKeyword(text) { // nobody looks without one of its words
			text = "# " + m.pickForm(r.Keywords) + "\n" + text
		}
		secret := r.findSecret(published, text)
		if slices.ContainsFunc(stopwords, func(w string) bool { return strings.Contains(strings.ToLower(secret), w) }) ||
			slices.ContainsFunc(allowed, func(re *regexp.Regexp) bool { return re.MatchString(secret) }) {
			continue
		}
		if secret != "" && (value == "" || strings.Contains(value, secret)) {
			return PlantedSecret{r.ID, secret, text}, nil
		}
	}
	return PlantedSecret{}, fmt.Errorf("%s: nothing was made that it describes", r.ID)
}

func (m *secretMaker) pickForm(all []string) string { return all[m.rand.IntN(len(all))] }

// secretGroup is the part of a rule's regexp that is the secret, or all of it.
func secretGroup(tree *syntax.Regexp) *syntax.Regexp {
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

// hasKeyword reports whether one of the rule's words is in text.
func (r *publishedRule) hasKeyword(text string) bool {
	return len(r.Keywords) == 0 || slices.ContainsFunc(r.Keywords, func(k string) bool { return strings.Contains(strings.ToLower(text), k) })
}

// minSecretLength is the length below which a group is a part of a secret and none.
const minSecretLength = 8

// findSecret is what the published rule takes for one in text, "" for nothing.
func (r *publishedRule) findSecret(published *regexp.Regexp, text string) string {
	m := published.FindStringSubmatch(text)
	if m == nil {
		return ""
	}
	secret := m[0]
	for i := max(1, r.SecretGroup); i < len(m); i++ {
		if len(m[i]) >= minSecretLength {
			secret = m[i]
			break
		}
	}
	if secret = strings.TrimRight(secret, "\n"); r.Entropy > 0 && shannonEntropy(secret) <= r.Entropy+0.1 || len(secret) < minSecretLength {
		return ""
	}
	return secret
}

// shannonEntropy is Shannon's, in bits a character.
func shannonEntropy(text string) (bits float64) {
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
