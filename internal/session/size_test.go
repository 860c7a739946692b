package session

import (
	"testing"
	"unsafe"
)

// A session of a million forks has a million entries and as many rows in memory at
// once. Before a field is added: does each entry have it, or does it belong to Details?
func TestSizes(t *testing.T) {
	for _, c := range []struct {
		name      string
		size, max uintptr
	}{
		{"Entry", unsafe.Sizeof(Entry{}), 160},
		{"Row", unsafe.Sizeof(Row{}), 64},
	} {
		if c.size > c.max {
			t.Errorf("%s takes %d bytes, want at most %d", c.name, c.size, c.max)
		}
	}
}
