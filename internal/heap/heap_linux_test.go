//go:build !race

package heap

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"sessiontree/internal/slowtest"
)

// What is allocated is in the part of the heap that may consist of huge pages, until memory is
// released. Package startup has asked for them without writing that part.
func TestUseHugePages(t *testing.T) {
	slowtest.SkipIfShort(t) // so that make test runs it without the race detector
	if _, err := os.Stat("/sys/kernel/mm/transparent_hugepage/enabled"); err != nil {
		t.Skip("this kernel has no huge pages: ", err)
	}
	if n := pageFaults(t); n > 10_000 {
		t.Errorf("%d page faults: the block was written", n)
	}
	block := make([]byte, 8<<20) // the heap has 4 MB below the part
	last := &block[len(block)-1]
	for i, huge := range []bool{true, false, true} {
		switch {
		case i == 0: // package startup has asked
		case huge:
			UseHugePages()
		default:
			ReleaseMemory()
		}
		flags := memoryFlags(t, uintptr(unsafe.Pointer(last)))
		if got := strings.Contains(flags+" ", " hg "); got != huge {
			t.Errorf("huge pages: %v, want %v (flags of the heap:%s)", got, huge, flags)
		}
	}
	runtime.KeepAlive(block)
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
