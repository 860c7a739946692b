package heap

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// What is allocated later is in the part of the heap that may consist of huge pages, until memory
// is released.
func TestUseHugePages(t *testing.T) {
	if _, err := os.Stat("/sys/kernel/mm/transparent_hugepage/enabled"); err != nil {
		t.Skip("this kernel has no huge pages: ", err)
	}
	fillHeap(64 << 20) // a block that reuses this would have to be cleared
	before := pageFaults(t)
	UseHugePages()
	if n := pageFaults(t) - before; n > 12_000 { // the race detector has some, too
		t.Errorf("%d page faults: the block was written", n)
	}
	block := make([]byte, hugePageHeap) // it may start below, in what was free before
	last := &block[len(block)-1]
	for _, huge := range []bool{true, false, true} {
		if huge {
			UseHugePages()
		} else {
			ReleaseMemory()
		}
		flags := memoryFlags(t, uintptr(unsafe.Pointer(last)))
		if got := strings.Contains(flags+" ", " hg "); got != huge {
			t.Errorf("huge pages: %v, want %v (flags of the heap:%s)", got, huge, flags)
		}
	}
	runtime.KeepAlive(block)
}

// fillHeap leaves n bytes of the heap written and free.
func fillHeap(n int) {
	block := bytes.Repeat([]byte{1}, n)
	runtime.KeepAlive(block)
	runtime.GC()
}

func pageFaults(t *testing.T) int64 {
	t.Helper()
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return int64(u.Minflt)
}

// memoryFlags returns the flags of the mapping that contains an address.
func memoryFlags(t *testing.T, address uintptr) string {
	t.Helper()
	f, err := os.Open("/proc/self/smaps")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	contains := false
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var from, to uintptr
		if n, _ := fmt.Sscanf(lines.Text(), "%x-%x ", &from, &to); n == 2 {
			contains = from <= address && address < to
		}
		if flags, ok := strings.CutPrefix(lines.Text(), "VmFlags:"); ok && contains {
			return flags
		}
	}
	t.Fatalf("no mapping contains %#x: %v", address, lines.Err())
	return ""
}
