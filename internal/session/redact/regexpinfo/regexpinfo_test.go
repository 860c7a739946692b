package regexpinfo

import (
	"regexp/syntax"
	"testing"
)

func parse(t *testing.T, pattern string) *syntax.Regexp {
	t.Helper()
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		t.Fatal(err)
	}
	return re
}

func TestMaxLength(t *testing.T) {
	for pattern, want := range map[string]int{
		`abc`: 3, `a[0-9]{2,5}`: 6, `(ab|cdef)g?`: 5, `é`: 2, `.{3}`: 12, `x+`: unboundedLength, `(?i)k`: 1, `^\b$`: 0, `(?:x+){20}`: maxLength,
	} {
		if got := MaxLength(parse(t, pattern)); got != want {
			t.Errorf("%s: %d, want %d", pattern, got, want)
		}
	}
}

func TestRequiresKeyword(t *testing.T) {
	for pattern, want := range map[string]bool{
		`ghp_\w+`: true, `(?i)x?ghp_`: true, `ghp_|gho_`: true, `ghp_|ghs_`: false, `(?:ghp_)?x`: false, `gh[op]_`: true, `gh[a-z]_`: false, `(?:ghp_){1,2}`: true, `(?:ghp_)*`: false,
	} {
		if got := RequiresKeyword(parse(t, pattern), []string{"ghp_", "gho_"}); got != want {
			t.Errorf("%s: %v", pattern, got)
		}
	}
}

func TestFindPrefix(t *testing.T) {
	for pattern, want := range map[string]Prefix{
		`\b(ghp_[a-z]{36})\b`: {WordBoundary: true, MinLength: 40}, `ghp_[a-z]{3} x`: {MinLength: 7}, `[a-z]ghp_`: {}, `(?:ghp_|gho_)x`: {MinLength: 5}, `ghp_.{9}`: {MinLength: 4},
	} {
		if got := FindPrefix(parse(t, pattern), []string{"ghp_", "gho_"}); got != want {
			t.Errorf("%s: %+v, want %+v", pattern, got, want)
		}
	}
}
