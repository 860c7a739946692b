//go:build !race

package startup

import "syscall"

// partSize is how much of the heap may consist of huge pages: what the list of a thousand sessions
// needs, or a session of 100 MB.
const partSize = 128 << 20 // bytes

func advise(use bool) {
	advice := uintptr(syscall.MADV_NOHUGEPAGE)
	if use {
		advice = syscall.MADV_HUGEPAGE
	}
	_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, firstPart, partSize, advice)
}
