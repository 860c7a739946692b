package rowtext_test

import (
	"testing"

	"sessiontree/internal/session/rowtext"
)

func TestOneLine(t *testing.T) {
	for s, want := range map[string]string{"": "", " \n\t": "", "one": "one", "  one\r\n\ttwo \u00a0 three\u2028": "one two three"} {
		if got := rowtext.OneLine(s); got != want {
			t.Errorf("OneLine(%q) = %q, want %q", s, got, want)
		}
	}
}

func TestCut(t *testing.T) {
	for _, c := range []struct {
		s    string
		n    int
		want string
	}{
		{"", 0, ""}, {"one", 3, "one"}, {"ones", 3, "one…"}, {"one two", 4, "one…"}, {"one  ", 5, "one  "},
		{"äöü", 3, "äöü"}, {"äöüß", 3, "äöü…"}, {"漢字", 1, "漢…"}, {"x", 0, "…"}, {"a\xffb\xff", 3, "a\xffb…"},
	} {
		if got := rowtext.Cut(c.s, c.n); got != c.want {
			t.Errorf("Cut(%q, %d) = %q, want %q", c.s, c.n, got, c.want)
		}
	}
}
