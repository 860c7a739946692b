package safefile

import (
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Prefetch makes the system read the first n bytes of a file that will be read soon. It does nothing
// and reports true if the file begins in memory. It is only advice, so errors are ignored.
func Prefetch(f *os.File, n int64) (cached bool) {
	fd := int(f.Fd())
	if beginsInMemory(fd) {
		return true
	}
	_ = unix.Fadvise(fd, 0, n, unix.FADV_WILLNEED)
	return false
}

// beginsInMemory reports whether the first page of a file is in memory. Reading without waiting
// would not tell: it makes the system fetch the page, which may be there by then.
func beginsInMemory(fd int) bool {
	page, err := unix.Mmap(fd, 0, 1, unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return false
	}
	var state byte // its lowest bit is set if the page is in memory
	_, _, errno := unix.Syscall(unix.SYS_MINCORE, uintptr(unsafe.Pointer(unsafe.SliceData(page))), 1, uintptr(unsafe.Pointer(&state)))
	return unix.Munmap(page) == nil && errno == 0 && state&1 != 0
}
