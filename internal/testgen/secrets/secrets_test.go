package secrets

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sessiontree/internal/slowtest"
)

// Every published rule yields a secret, and the same seed yields the same secrets.
func TestMakeSecrets(t *testing.T) {
	t.Parallel()
	slowtest.SkipIfShort(t)
	file, err := os.ReadFile("../../session/redact/rules/gitleaks.toml")
	if err != nil {
		t.Fatal(err)
	}
	all, err := MakeSecrets(string(file), nil, 221, 1)
	if err != nil {
		t.Fatal(err)
	}
	rules := map[string]bool{}
	for _, p := range all {
		rules[p.Rule] = true
	}
	if len(rules) < 221 {
		t.Errorf("%d rules", len(rules))
	}
	again, err := MakeSecrets(string(file), nil, 221, 1)
	if diff := cmp.Diff(all, again); err != nil || diff != "" {
		t.Errorf("%v %s", err, diff)
	}
}
