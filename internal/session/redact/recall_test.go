package redact

import (
	"math/rand/v2"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// madeUp replaces the placeholders of a template by random secrets. The file testdata/secrets.txt
// explains the form of templates.
func madeUp(template string, random *rand.Rand) string {
	return alphabetPattern.ReplaceAllStringFunc(template, func(part string) string {
		alphabet := alphabets[part[1]]
		n, _ := strconv.Atoi(part[2 : len(part)-1])
		b := make([]byte, n)
		for i := range b {
			b[i] = alphabet[random.IntN(len(alphabet))]
		}
		return string(b)
	})
}

var alphabetPattern = regexp.MustCompile(`\{[AaHBUDWPZ]\d+\}`)

var alphabets = map[byte]string{
	'A': letter, 'a': lower, 'H': hexes, 'B': letter + "+/", 'U': letter + "-_", 'D': "0123456789",
	'W': "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", 'Z': upper, 'P': letter + letter + "!#%^*-_=+.?",
}

// isLeft reports whether more than a third of a secret remains in a text.
func isLeft(text, secret string) bool {
	window := max(6, len(secret)/3)
	for i := 0; i+window <= len(secret); i++ {
		if strings.Contains(text, secret[i:i+window]) {
			return true
		}
	}
	return strings.Contains(text, secret)
}

// readTemplates returns the paragraphs of a file.
func readTemplates(t *testing.T, file string) []string {
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(b), "\n%%\n")
	return strings.Split(strings.TrimSpace(text), "\n%%\n")
}

// TestRecall searches secrets in prompts, commands, configuration and code: 97 of 100 must be
// found, whatever their values.
func TestRecall(t *testing.T) {
	left, all := 0, 0
	for i, template := range readTemplates(t, "testdata/secrets.txt") {
		for seed := range uint64(5) {
			text := madeUp(template, rand.New(rand.NewPCG(seed, uint64(i))))
			_, secret, _ := strings.Cut(text, "«")
			secret, _, _ = strings.Cut(secret, "»")
			text = strings.NewReplacer("«", "", "»", "").Replace(text)
			all++
			if out, _ := dana.RedactText(text, both); isLeft(out, secret) {
				left++
				t.Logf("left: %s", out)
			}
		}
	}
	t.Logf("%d of %d found", all-left, all)
	if 100*left > 3*all {
		t.Errorf("%d of %d secrets are left", left, all)
	}
}

// TestBenign searches texts without secrets: at most two values may be reported.
func TestBenign(t *testing.T) {
	templates := readTemplates(t, "testdata/benign.txt")
	if len(templates) < 60 {
		t.Errorf("%d texts", len(templates))
	}
	worst := 0
	for seed := range uint64(5) {
		found := 0
		for i, template := range templates {
			text := madeUp(template, rand.New(rand.NewPCG(seed, uint64(i))))
			if all := dana.findClasses(text, map[string]bool{ClassKeys: true}); len(all) > 0 {
				found++
				t.Logf("%s: %q in %.200q", all[0].Kind, text[all[0].Start:all[0].End], text)
			}
		}
		worst = max(worst, found)
	}
	if worst > 2 {
		t.Errorf("%d of %d texts are taken for secrets", worst, len(templates))
	}
}
