// Package sampletest selects what tests leave out outside CI, so that make test takes less time. With
// the environment variable CI set they test everything.
package sampletest

import (
	"os"
	"testing"
)

// part is which part of the cases is tested outside CI: a third.
const part = 3

// SkipOutsideCI skips a test outside CI. It is for tests of more states, sizes or moments of what
// other tests test too.
func SkipOutsideCI(t testing.TB) {
	t.Helper()
	if !InCI() {
		t.Skip("runs only with CI set, as in CI=1 make test")
	}
}

// Cases returns all cases in CI, else every third.
func Cases[T any](all []T) (some []T) {
	for i := 0; i < len(all); i += Step() {
		some = append(some, all[i])
	}
	return some
}

// Rounds returns how many of n rounds a test has: n in CI, else a third of them.
func Rounds(n int) int { return (n + Step() - 1) / Step() }

// Step returns the distance of the cases of a test that numbers them: 1 in CI, else 3.
func Step() int {
	if InCI() {
		return 1
	}
	return part
}

// InCI reports whether tests test everything.
func InCI() bool { return os.Getenv("CI") != "" }
