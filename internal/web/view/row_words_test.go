package view

import "testing"

func TestPlainWords(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"Use `go test`, **always**.", "Use go test, always."},
		{"## Plan", "Plan"},
		{"> quoted", "quoted"},
		{"a __dunder__ stays", "a __dunder__ stays"},
		{"**", "**"},
		{"", ""},
	} {
		if got := plainWords(test.in); got != test.want {
			t.Errorf("plainWords(%q) = %q, want %q", test.in, got, test.want)
		}
	}
}
