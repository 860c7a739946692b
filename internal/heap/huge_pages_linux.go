package heap

import (
	"runtime"
	"strings"
	"sync"
	"unsafe"

	"golang.org/x/sys/unix"
)

// hugePageHeap is how much of the heap may consist of huge pages: what the list of a thousand
// sessions needs, or a session of 100 MB.
const hugePageHeap = 128 << 20 // bytes

// firstPart returns the address of the part of the heap that may consist of huge pages. The runtime
// has no setting for them. So a block of that size is allocated and collected: what is allocated later
// takes its addresses.
var firstPart = sync.OnceValue(func() uintptr {
	block := reserveHeap(hugePageHeap)
	runtime.GC() // else a collection that has begun keeps the block, and the heap may grow to twice its size
	return block
})

// reserveHeap returns the address of a block of n bytes that nothing refers to. A strings.Builder
// does not clear the block, which would fill it with small pages.
//
//go:noinline
func reserveHeap(n int) uintptr {
	var block strings.Builder
	block.Grow(n)
	block.WriteByte(0)
	return uintptr(unsafe.Pointer(unsafe.StringData(block.String())))
}

func adviseHugePages(use bool) {
	advice := uintptr(unix.MADV_NOHUGEPAGE)
	if use {
		advice = unix.MADV_HUGEPAGE
	}
	_, _, _ = unix.Syscall(unix.SYS_MADVISE, firstPart(), hugePageHeap, advice)
}
