// Package slowtest selects the tests that run with the race detector.
package slowtest

import "testing"

// SkipWithRace skips a test whose time the race detector multiplies and that has nothing for it to
// find, because it calls the code in one goroutine. make unit runs it without the detector.
func SkipWithRace(t testing.TB) {
	t.Helper()
	if raceEnabled {
		t.Skip("runs without the race detector")
	}
}
