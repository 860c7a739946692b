//go:build !linux || race

package startup

// partSize is 0: no part of the heap. The race detector writes to memory of its own for each block that
// is allocated, so that each start would take twice as long.
const partSize = 0

// advise does nothing: other systems need not be asked.
func advise(bool) {}

// collapseFirst does nothing, either.
func collapseFirst() {}
