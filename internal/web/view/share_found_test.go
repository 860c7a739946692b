package view

import (
	"testing"

	"sessiontree/internal/session/export"
	"sessiontree/internal/session/redact"
)

// A home directory is a personal detail and no secret.
func TestFoundWords(t *testing.T) {
	key, home := export.Found{}, export.Found{}
	key.Class, home.Class = redact.Keys, redact.Personal
	for _, c := range []struct {
		found []export.Found
		want  string
	}{
		{nil, ""},
		{[]export.Found{home}, "1 personal detail"},
		{[]export.Found{key}, "1 possible secret"},
		{[]export.Found{home, key, home, key}, "2 possible secrets and 2 personal details"},
	} {
		if got := foundWords(c.found); got != c.want {
			t.Errorf("%d findings: got %q, want %q", len(c.found), got, c.want)
		}
	}
}
