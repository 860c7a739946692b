// Package heap decides how the system backs the heap with memory: with huge pages while the program
// works, and with as little as possible while it is idle.
package heap

import (
	"runtime"
	"runtime/debug"
	"sync"

	"sessiontree/internal/heap/startup"
)

// BallastSize is how many bytes count as in use, although they are not, until DropBallast is called.
const BallastSize = startup.BallastSize

// DropBallast makes the garbage collector run as often as usual, for a program whose memory matters more
// than its speed.
func DropBallast() {
	mu.Lock()
	defer mu.Unlock()
	startup.DropBallast()
}

var (
	mu       sync.Mutex // guards released and the ballast
	released bool       // by ReleaseMemory
)

// UseHugePages asks the system for huge pages again after ReleaseMemory.
func UseHugePages() {
	mu.Lock()
	defer mu.Unlock()
	if released {
		released = false
		startup.UseHugePages(true)
	}
}

// ReleaseMemory returns what the heap does not need to the system. Until the next call of UseHugePages
// the system uses no huge pages: it would soon fill up those that were returned in part.
func ReleaseMemory() {
	mu.Lock()
	defer mu.Unlock()
	released = true
	startup.UseHugePages(false)
	runtime.GC() // pools keep their content for one collection
	debug.FreeOSMemory()
}
