// Package startup prepares the heap before other packages are initialized. Each command starts a
// quarter sooner.
//
// It makes Linux back the first part of the heap with huge pages. Linux gives them on most systems only
// to programs that ask, and the Go runtime has no setting for them. A heap of 100 MB then takes some
// fifty page faults instead of 25,000, which on a virtual machine are a fifth of the time to a complete
// list. The 5 MB of the initialization of other packages are in huge pages, too.
//
// It delays the first garbage collection, because the initialization leaves little to collect, and so
// does the list of the last run.
//
// Of the packages whose imports are initialized, Go initializes the one whose path sorts first. So this
// package imports only what nearly all others need.
package startup

import (
	"runtime"
	"unsafe"
)

// firstCollection is how large the heap is at the first garbage collection, unless GOGC or
// debug.SetGCPercent says otherwise.
const firstCollection = 40 << 20 // bytes

// firstPart is the address of the part of the heap that may consist of huge pages.
var firstPart = prepareHeap()

// prepareHeap returns the address of the part of the heap that is used first, of partSize bytes. To
// find it, a block of that size is allocated and collected: what is allocated later takes its addresses.
// The collection finds half of firstCollection in use, so the next one begins when that has doubled,
// whether it is still in use or not. Nothing is written, because the heap is still empty: the blocks
// need no memory.
func prepareHeap() (address uintptr) {
	part := make([]byte, partSize)
	address = uintptr(unsafe.Pointer(unsafe.SliceData(part)))
	used := make([]byte, firstCollection/2)
	runtime.KeepAlive(part) // until here, so that used is behind it
	runtime.GC()            // else a collection that has begun keeps part, and the heap may grow to twice its size
	runtime.KeepAlive(used)
	return address
}

func init() {
	UseHugePages(true)
	collapseFirst()
}

// UseHugePages asks for huge pages, or for no more of them. Without them the program is only slower, so
// errors are ignored.
func UseHugePages(use bool) { advise(use) }
