// Package startup prepares the heap before other packages are initialized. Each command starts a
// quarter sooner.
//
// It makes Linux back the first part of the heap with huge pages. Linux gives them on most systems only
// to programs that ask, and the Go runtime has no setting for them. A heap of 100 MB then takes some
// fifty page faults instead of 25,000, which on a virtual machine are a fifth of the time to a complete
// list. The 5 MB of the initialization of other packages are in huge pages, too.
//
// It has a ballast: a block that is never written, so that it needs no memory, but counts as in use. As
// the heap may grow to twice what is in use, the garbage collector runs less often while little is.
//
// Of the packages whose imports are initialized, Go initializes the one whose path sorts first. So this
// package imports only what nearly all others need.
package startup

import (
	"runtime"
	"unsafe"
)

// BallastSize is half of what the heap has at the first garbage collection, unless GOGC or
// debug.SetGCPercent says otherwise. A list of a thousand sessions is complete an eighth sooner, and a
// session of 100 MB is open a tenth sooner: the collector runs less often, and the memory that it frees is
// not returned to the system to be needed soon after. With 30 MB the list is not sooner yet.
const BallastSize = 20 << 20 // bytes

// firstPart is the address of the part of the heap that may consist of huge pages, and ballast the block
// behind it until DropBallast is called.
var firstPart, ballast = prepareHeap()

// prepareHeap returns the address of the part of the heap that is used first, of partSize bytes, and the
// ballast behind it. To find the part, a block of that size is allocated and collected: what is allocated
// later takes its addresses. Nothing is written, because the heap is still empty.
func prepareHeap() (address uintptr, ballast []byte) {
	part := make([]byte, partSize)
	address = uintptr(unsafe.Pointer(unsafe.SliceData(part)))
	ballast = make([]byte, BallastSize)
	runtime.KeepAlive(part) // until here, so that the ballast is behind it
	runtime.GC()            // else a collection that has begun keeps part, and the heap may grow to twice its size
	return address, ballast
}

// DropBallast makes the garbage collector run as often as usual, from the next collection on.
func DropBallast() {
	runtime.KeepAlive(ballast) // until here
	ballast = nil
}

func init() {
	UseHugePages(true)
	collapseFirst()
}

// UseHugePages asks for huge pages, or for no more of them. Without them the program is only slower, so
// errors are ignored.
func UseHugePages(use bool) { advise(use) }
