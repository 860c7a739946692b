package hugepages

import (
	"runtime"
	"syscall"
	"unsafe"
)

// partSize is how much of the heap may consist of huge pages: what the list of a thousand sessions
// needs, or a session of 100 MB.
const partSize = 128 << 20 // bytes

// firstPart is the address of the part of the heap that may consist of huge pages. To find it, a block
// of that size is allocated and collected: what is allocated later takes its addresses. The block is
// not written, because the heap is still empty: it needs no memory.
var firstPart = reserveHeap(partSize)

// reserveHeap returns the address of a block of n bytes that nothing refers to.
func reserveHeap(n int) uintptr {
	address := uintptr(unsafe.Pointer(unsafe.SliceData(make([]byte, n))))
	runtime.GC() // else a collection that has begun keeps the block, and the heap may grow to twice its size
	return address
}

func advise(use bool) {
	advice := uintptr(syscall.MADV_NOHUGEPAGE)
	if use {
		advice = syscall.MADV_HUGEPAGE
	}
	_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, firstPart, partSize, advice)
}
