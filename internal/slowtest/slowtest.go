// Package slowtest selects the tests that do not run with the race detector. make unit runs all tests
// with it and -short, and then these without both. It finds them by the calls of this package, which
// must be in functions named Test (.tools/slow-tests.sh).
package slowtest

import (
	"testing"

	"sessiontree/internal/sampletest"
)

// SkipIfShort skips a test with -short. It is for tests whose time the race detector multiplies and
// that have nothing for it to find, because they call the code in one goroutine.
func SkipIfShort(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("runs only without -short")
	}
}

// SkipIfShortOutsideCI skips a test with -short, except in CI. It is for tests that start goroutines
// as other tests do.
func SkipIfShortOutsideCI(t testing.TB) {
	t.Helper()
	if !sampletest.InCI() {
		SkipIfShort(t)
	}
}
