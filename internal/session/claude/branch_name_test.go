package claude

import (
	"strings"
	"testing"
	"unicode/utf8"

	"sessiontree/internal/session"
)

// TestThreads_branchNames checks that a branch is named by the first 12 characters of its
// first id, and by more where another branch has the same.
func TestThreads_branchNames(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, first, second, want string }{
		{"ASCII", "0123456789ab-one", "123456789abc-two", "a@0123456789ab a@123456789abc"},
		{"several bytes a character", strings.Repeat("é", 11) + "世x", strings.Repeat("世", 14), "a@" + strings.Repeat("é", 11) + "世 a@" + strings.Repeat("世", 12)},
		{"longer by characters", strings.Repeat("世", 12) + "é1", strings.Repeat("世", 12) + "世2",
			"a@" + strings.Repeat("世", 12) + "é a@" + strings.Repeat("世", 13)},
		{"the whole of a short id", "世界", "été", "a@世界 a@été"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, tree := readProject(t, files{"a.jsonl": talk("a", "", "u - 1", "x u 2", c.first+" x 3", "y "+c.first+" 4", c.second+" x 5")}, "a.jsonl")
			var got []string
			for _, l := range tree.Threads().All() {
				if strings.Contains(l.Name, "@") && tree.At(l.Entries[0]).Kind == session.KindUser {
					got = append(got, l.Name)
				}
				if !utf8.ValidString(l.Name) {
					t.Errorf("a character of %q is cut", l.Name)
				}
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("branches %q, want %q", strings.Join(got, " "), c.want)
			}
		})
	}
}
