package main

import (
	"fmt"
	"os"
	"slices"
)

// host stands in for a test: what fails ends the program after everything that
// was started is stopped.
type host struct {
	failed   bool
	cleanups []func()
	part     int    // cleanups before it belong to the whole run
	report   func() // prints what was measured, also when a part failed
}

func (h *host) Helper()                 {}
func (h *host) Name() string            { return "bench" }
func (h *host) Failed() bool            { return h.failed }
func (h *host) Cleanup(f func())        { h.cleanups = append(h.cleanups, f) }
func (h *host) Logf(f string, a ...any) { fmt.Fprintf(os.Stderr, f+"\n", a...) }

func (h *host) Errorf(f string, a ...any) {
	h.failed = true
	h.Logf("FAIL: "+f, a...)
}

func (h *host) Fatalf(f string, a ...any) {
	h.Errorf(f, a...)
	h.finish()
}

// TempDir makes a directory that goes with the program.
func (h *host) TempDir() string {
	dir, err := os.MkdirTemp("", "explorer-bench-")
	if err != nil {
		h.Fatalf("%v", err)
	}
	h.Cleanup(func() { _ = os.RemoveAll(dir) }) // what is left lies in the temp directory
	return dir
}

// endPart stops what a part has started; the browser goes on.
func (h *host) endPart() {
	if h.part == 0 {
		h.part = 1
	}
	h.unwind(h.part)
}

func (h *host) unwind(keep int) {
	for len(h.cleanups) > keep {
		last := h.cleanups[len(h.cleanups)-1]
		h.cleanups = slices.Delete(h.cleanups, len(h.cleanups)-1, len(h.cleanups))
		last()
	}
}

// finish stops everything and ends the program.
func (h *host) finish() {
	h.unwind(0)
	if h.report != nil {
		h.report()
	}
	if h.failed {
		os.Exit(1)
	}
	os.Exit(0)
}
