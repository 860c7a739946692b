package harness

import (
	"fmt"
	"os"
	"slices"
)

// Host is a T for programs that are no tests: what fails ends the program after
// everything that was started is stopped.
type Host struct {
	Program string // its name
	Report  func() // prints what was measured, also when a part failed

	failed   bool
	cleanups []func()
	part     int // cleanups before it belong to the whole run
}

// Helper is for tests.
func (h *Host) Helper() {}

// Name returns the name of the program.
func (h *Host) Name() string { return h.Program }

// Failed reports whether something failed.
func (h *Host) Failed() bool { return h.failed }

// Cleanup has f called at the end, last first.
func (h *Host) Cleanup(f func()) { h.cleanups = append(h.cleanups, f) }

// Logf prints a line on stderr.
func (h *Host) Logf(f string, a ...any) { fmt.Fprintf(os.Stderr, f+"\n", a...) }

// Errorf reports a failure without ending the program.
func (h *Host) Errorf(f string, a ...any) {
	h.failed = true
	h.Logf("FAIL: "+f, a...)
}

// Fatalf reports a failure, and ends the program.
func (h *Host) Fatalf(f string, a ...any) {
	h.Errorf(f, a...)
	h.Finish()
}

// TempDir makes a directory that goes with the program.
func (h *Host) TempDir() string {
	dir, err := os.MkdirTemp("", "explorer-"+h.Program+"-")
	if err != nil {
		h.Fatalf("%v", err)
	}
	h.Cleanup(func() { _ = os.RemoveAll(dir) }) // what is left lies in the temp directory
	return dir
}

// EndPart stops what a part has started and keeps what belongs to the whole run.
func (h *Host) EndPart() {
	if h.part == 0 {
		h.part = 1
	}
	h.unwind(h.part)
}

func (h *Host) unwind(keep int) {
	for len(h.cleanups) > keep {
		last := h.cleanups[len(h.cleanups)-1]
		h.cleanups = slices.Delete(h.cleanups, len(h.cleanups)-1, len(h.cleanups))
		last()
	}
}

// Finish stops everything and ends the program.
func (h *Host) Finish() {
	h.unwind(0)
	if h.Report != nil {
		h.Report()
	}
	if h.failed {
		os.Exit(1)
	}
	os.Exit(0)
}
