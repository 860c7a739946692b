package session

import (
	"testing"
	"unsafe"
)

// A session of a million forks has a million entries in memory at once. Before a field is added: does each entry have it, or does it belong to Details?
func TestSizes(t *testing.T) {
	t.Parallel()
	if size := unsafe.Sizeof(Entry{}); size > 160 {
		t.Errorf("Entry takes %d bytes, want at most 160", size)
	}
}
