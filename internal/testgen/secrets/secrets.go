// Package secrets generates secrets that match published rules, in realistic texts. It is
// independent of the scanner: it only uses the published regular expressions.
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

// publishedRule contains the fields of a published rule that this package uses.
type publishedRule struct {
	ID          string
	Regex       string
	Entropy     float64
	SecretGroup int
	Keywords    []string
	Allowlists  []struct{ Regexes, Stopwords []string }
}

// MakeSecrets generates n secrets by rules spread evenly over a rule file, without the
// rules in leaveOut. A seed always gives the same secrets.
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

// assignedForms are texts in which a secret is assigned to a name. bareForms are texts in
// which its own form reveals it.
var (
	assignedForms = []string{"%s_TOKEN=%s\n", "%s_token = \"%s\"\n", "%s_api_key: '%s'\n", "{\"%s_token\": \"%s\"}", "export %s_SECRET=\"%s\"\n", "%sKey := \"%s\"\n"}
	bareForms     = []string{"it is %s\n", "token=%s\n", "Authorization: Bearer %s\n", "{\"key\": \"%s\"}", "TOKEN='%s'\n", "curl -H \"X-Key: %s\" x\n", "%s"}
)

type secretMaker struct{ rand *rand.Rand }

func newSecretMaker(seed uint64) *secretMaker { return &secretMaker{rand.New(rand.NewPCG(seed, seed))} }

// maxTries limits the attempts to generate a secret that matches its rule.
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
		value, text := "", m.generateMatch(tree)+"\n" // with the context that the rule requires
		if try < maxTries/2 {
			value = strings.TrimSpace(m.generateMatch(part))
			text = fmt.Sprintf(m.pickForm(bareForms), value)
		}
		if named && value != "" {
			text = fmt.Sprintf(m.pickForm(assignedForms), m.pickForm(r.Keywords), value)
		}
		if !r.hasKeyword(text) { // scanners skip text without a keyword of the rule
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

// secretGroup returns the group of a rule's regexp that matches the secret, or the whole
// regexp.
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

// hasKeyword reports whether text contains a keyword of the rule.
func (r *publishedRule) hasKeyword(text string) bool {
	return len(r.Keywords) == 0 || slices.ContainsFunc(r.Keywords, func(k string) bool { return strings.Contains(strings.ToLower(text), k) })
}

// minSecretLength is the length below which a group is only a part of a secret.
const minSecretLength = 8

// findSecret returns the secret that the published rule finds in text, "" if there is
// none.
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

// shannonEntropy returns the Shannon entropy in bits per character.
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
