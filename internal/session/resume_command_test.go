package session_test

import (
	"testing"

	"sessiontree/internal/session"
)

func TestResumeCommand(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ id, cwd, want string }{
		{"s-1", "", "pi --session s-1"},
		{"s-1", "/a/b", "cd /a/b && pi --session s-1"},
		{"$(x)", "/it's", `cd '/it'\''s' && pi --session '$(x)'`},
		{"s\nrm", "", ""},
	} {
		if got := session.ResumeCommand(c.cwd, "pi --session", c.id); got != c.want {
			t.Errorf("ResumeCommand(%q, %q) = %q, want %q", c.cwd, c.id, got, c.want)
		}
	}
}
