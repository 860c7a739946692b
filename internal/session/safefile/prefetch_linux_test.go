package safefile_test

import (
	"bytes"
	"os"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"sessiontree/internal/session/safefile"
)

// The system fetches the file from the disk before it is read.
func TestPrefetch(t *testing.T) {
	const size = 1 << 20
	f, err := os.CreateTemp(".", "prefetch") // not in the directory for temporary files, which may be in memory
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		f.Close()
		os.Remove(f.Name())
	})
	if _, err := f.Write(bytes.Repeat([]byte{1}, size)); err != nil {
		t.Fatal(err)
	}
	if err := f.Sync(); err != nil {
		t.Fatal(err)
	}
	if err := unix.Fadvise(int(f.Fd()), 0, 0, unix.FADV_DONTNEED); err != nil {
		t.Fatal(err)
	}
	if cachedPages(t, f, size) > 0 {
		t.Skip("this file system is in memory")
	}
	if safefile.Prefetch(f, size) {
		t.Error("the file is in memory, want it on the disk")
	}
	late := time.After(10 * time.Second)
	for want := size / os.Getpagesize(); cachedPages(t, f, size) < want; {
		select {
		case <-time.After(time.Millisecond):
		case <-late:
			t.Fatalf("%d pages are in memory, want %d", cachedPages(t, f, size), want)
		}
	}
	if !safefile.Prefetch(f, size) {
		t.Error("the file is on the disk, want it in memory")
	}
}

// cachedPages returns how many pages of a file are in memory.
func cachedPages(t *testing.T, f *os.File, size int) (n int) {
	t.Helper()
	pages, err := unix.Mmap(int(f.Fd()), 0, size, unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := unix.Munmap(pages); err != nil {
			t.Error(err)
		}
	}()
	vec := make([]byte, size/os.Getpagesize())
	if _, _, errno := unix.Syscall(unix.SYS_MINCORE, uintptr(unsafe.Pointer(unsafe.SliceData(pages))), uintptr(size), uintptr(unsafe.Pointer(unsafe.SliceData(vec)))); errno != 0 {
		t.Fatal(errno)
	}
	for _, v := range vec {
		n += int(v & 1)
	}
	return n
}
