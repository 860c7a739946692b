//go:build !race

package startup

import "syscall"

// partSize is how much of the heap may consist of huge pages: what the list of a thousand sessions
// needs, or a session of 100 MB.
const partSize = 128 << 20 // bytes

const (
	hugePageSize = 2 << 20 // bytes
	madvCollapse = 25      // MADV_COLLAPSE, since Linux 6.1
)

// firstHugePage returns the address of the huge page in which the part begins.
func firstHugePage() uintptr { return firstPart &^ (hugePageSize - 1) }

func advise(use bool) {
	advice := uintptr(syscall.MADV_NOHUGEPAGE)
	if use {
		advice = syscall.MADV_HUGEPAGE
	}
	start := firstHugePage()
	_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, start, firstPart+partSize-start, advice)
}

// collapseFirst makes a huge page of the pages in front of the part, which the runtime has used, and the
// first ones of the part. The heap uses the lowest free addresses first, so it would use all of them, one
// page fault each.
func collapseFirst() {
	_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, firstHugePage(), hugePageSize, madvCollapse)
}
