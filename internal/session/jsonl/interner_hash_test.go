package jsonl

import (
	"fmt"
	"testing"
)

// TestInterner_sameHash checks that two texts with the same hash, both on every line, are allocated
// once.
func TestInterner_sameHash(t *testing.T) {
	values := sameHashValues(t)
	var in Interner
	n := testing.AllocsPerRun(100, func() {
		for _, v := range values {
			in.Intern(v)
		}
	})
	if n != 0 {
		t.Errorf("%v allocations for two texts that recur", n)
	}
}

// sameHashValues returns two different strings with the same hash.
func sameHashValues(t *testing.T) []Value {
	t.Helper()
	seen := map[uint64]Value{}
	for i := range 2 * internSets {
		c := NewCursor(fmt.Appendf(nil, `"text %d"`, i))
		v := c.Value()
		h := internHash(v.Bytes())
		if other, ok := seen[h]; ok {
			return []Value{other, v}
		}
		seen[h] = v
	}
	t.Fatal("no two strings have the same hash")
	return nil
}
