// Package harness starts the built explorer and a real Chromium and drives both.
// Tests in the browser and the benchmark use it. Every wait is for a condition,
// none is for a time.
package harness

import "time"

// Patience is how long a condition may take before a test gives up.
const Patience = 15 * time.Second

// T is what the harness needs of a test; the benchmark has its own.
type T interface {
	Helper()
	Logf(format string, args ...any)
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
	Failed() bool
	Cleanup(func())
	TempDir() string
}
