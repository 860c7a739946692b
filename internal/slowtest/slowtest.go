// Package slowtest selects the tests that do not run with the race detector.
package slowtest

import "testing"

// SkipIfShort skips a test with -short. make unit runs the tests with the race detector and -short,
// and then all of them without it. It is for tests whose time the race detector multiplies and that
// have nothing for it to find, because they call the code in one goroutine.
func SkipIfShort(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("runs only without -short")
	}
}
