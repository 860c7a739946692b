// Package harness starts the built explorer and a real Chromium and controls both. The
// browser tests and the benchmark use it. All waits are for conditions, none for a fixed
// time.
package harness

import (
	"context"
	"time"
)

// Patience is the timeout of every wait. It is long because no test depends on speed.
const Patience = time.Minute

// T is the part of testing.T that the harness uses. The benchmark has its own
// implementation.
type T interface {
	Helper()
	Name() string
	Logf(format string, args ...any)
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
	Failed() bool
	Cleanup(func())
	TempDir() string
}

// Until calls ok until it returns true. The pauses grow, so that a long wait uses little CPU.
func Until(t T, what string, ok func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), Patience)
	defer cancel()
	if !pollUntil(ctx, ok) {
		t.Fatalf("waited %v for %s", Patience, what)
	}
}

// The pauses between two calls of what Until waits for.
const (
	shortestPause = 4 * time.Millisecond
	longestPause  = 50 * time.Millisecond
)

// pollUntil calls ok until it returns true or ctx ends, and reports which. The pauses grow to the
// longest one.
func pollUntil(ctx context.Context, ok func() bool) bool {
	for pause := shortestPause; !ok(); pause = min(pause*5/4, longestPause) {
		select {
		case <-ctx.Done():
			return false
		case <-time.After(pause):
		}
	}
	return true
}
