package dialog

import (
	"testing"

	"sessiontree/internal/session/export"
	"sessiontree/internal/session/redact"
)

// A home directory is a personal detail, not a secret.
func TestFindingsTitle(t *testing.T) {
	key, home := export.Finding{}, export.Finding{}
	key.Class, home.Class = redact.ClassKeys, redact.ClassPersonal
	for _, c := range []struct {
		found []export.Finding
		want  string
	}{
		{nil, ""},
		{[]export.Finding{home}, "1 personal detail"},
		{[]export.Finding{key}, "1 possible secret"},
		{[]export.Finding{home, key, home, key}, "2 possible secrets and 2 personal details"},
	} {
		if got := findingsTitle(c.found); got != c.want {
			t.Errorf("%d findings: got %q, want %q", len(c.found), got, c.want)
		}
	}
}
