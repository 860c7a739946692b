// Package harness starts the built explorer and a real Chromium and drives both.
// Tests in the browser and the benchmark use it. Every wait is for a condition,
// none is for a time.
package harness

import (
	"context"
	"time"
)

// Patience is the deadline of every wait: how long a condition may take before a
// test fails. No test depends on how fast something is, so it is long.
const Patience = time.Minute

// T is what the harness needs of a test; the benchmark has its own.
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

// Until calls ok until it returns true.
func Until(t T, what string, ok func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), Patience)
	defer cancel()
	if !pollUntil(ctx, ok) {
		t.Fatalf("waited %v for %s", Patience, what)
	}
}

// pollUntil calls ok until it returns true or ctx ends, and reports which. The pauses
// grow, so that a long wait takes nothing from what it waits for.
func pollUntil(ctx context.Context, ok func() bool) bool {
	for pause := 4 * time.Millisecond; !ok(); pause = min(pause*5/4, 50*time.Millisecond) {
		select {
		case <-ctx.Done():
			return false
		case <-time.After(pause):
		}
	}
	return true
}
