package main

import (
	"fmt"
	"os"
	"slices"
)

// benchHost implements harness.T for the benchmark: a failure stops everything that was
// started and ends the program.
type benchHost struct {
	failed   bool
	cleanups []func()
	part     int    // number of cleanups that belong to the whole run
	report   func() // prints the measurements, also after a failure
}

func (h *benchHost) Helper()                 {}
func (h *benchHost) Name() string            { return "bench" }
func (h *benchHost) Failed() bool            { return h.failed }
func (h *benchHost) Cleanup(f func())        { h.cleanups = append(h.cleanups, f) }
func (h *benchHost) Logf(f string, a ...any) { fmt.Fprintf(os.Stderr, f+"\n", a...) }

func (h *benchHost) Errorf(f string, a ...any) {
	h.failed = true
	h.Logf("FAIL: "+f, a...)
}

func (h *benchHost) Fatalf(f string, a ...any) {
	h.Errorf(f, a...)
	h.finishRun()
}

// TempDir creates a directory that is removed at the end.
func (h *benchHost) TempDir() string {
	dir, err := os.MkdirTemp("", "explorer-bench-")
	if err != nil {
		h.Fatalf("%v", err)
	}
	h.Cleanup(func() { _ = os.RemoveAll(dir) }) // leftovers are in the temporary directory
	return dir
}

// endPart stops what a part has started, except the browser.
func (h *benchHost) endPart() {
	if h.part == 0 {
		h.part = 1
	}
	h.runCleanups(h.part)
}

func (h *benchHost) runCleanups(keep int) {
	for len(h.cleanups) > keep {
		last := h.cleanups[len(h.cleanups)-1]
		h.cleanups = slices.Delete(h.cleanups, len(h.cleanups)-1, len(h.cleanups))
		last()
	}
}

// finishRun stops everything and ends the program.
func (h *benchHost) finishRun() {
	h.runCleanups(0)
	if h.report != nil {
		h.report()
	}
	if h.failed {
		os.Exit(1)
	}
	os.Exit(0)
}
