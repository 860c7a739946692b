package main

import (
	"fmt"
	"os"
	"slices"
)

// benchHost stands in for a test: what fails ends the program after everything that
// was started is stopped.
type benchHost struct {
	failed   bool
	cleanups []func()
	part     int    // cleanups before it belong to the whole run
	report   func() // prints what was measured, also when a part failed
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

// TempDir makes a directory that goes with the program.
func (h *benchHost) TempDir() string {
	dir, err := os.MkdirTemp("", "explorer-bench-")
	if err != nil {
		h.Fatalf("%v", err)
	}
	h.Cleanup(func() { _ = os.RemoveAll(dir) }) // what is left lies in the temp directory
	return dir
}

// endPart stops what a part has started; the browser goes on.
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
