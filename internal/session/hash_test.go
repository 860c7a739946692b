package session_test

import (
	"fmt"
	"math/bits"
	"strings"
	"testing"

	"sessiontree/internal/session"
)

// A change of any bit changes about half of the bits of a hash.
func TestHashParts(t *testing.T) {
	for n := range 40 {
		text := []byte(strings.Repeat("0a1b2c3d-", 5)[:n])
		hash := session.HashParts(text)
		changed := 0
		for i := range 8 * n {
			text[i/8] ^= 1 << (i % 8)
			diff := bits.OnesCount64(session.HashParts(text) ^ hash)
			text[i/8] ^= 1 << (i % 8)
			if diff < 8 {
				t.Errorf("bit %d of %d bytes changes %d bits of the hash", i, n, diff)
			}
			changed += diff
		}
		if n > 0 && (changed < 28*8*n || changed > 36*8*n) {
			t.Errorf("a bit of %d bytes changes %d bits of the hash on average", n, changed/(8*n))
		}
	}
}

// Texts of different lengths, and different texts that are joined the same, have different hashes.
func TestHashParts_boundaries(t *testing.T) {
	text := strings.Repeat("\x00", 20)
	known := map[uint64]string{}
	add := func(h uint64, what string) {
		if known[h] != "" {
			t.Errorf("%s and %s have the same hash", known[h], what)
		}
		known[h] = what
	}
	for i := range len(text) {
		add(session.HashParts(text[:i]), fmt.Sprint(i, " bytes"))
		for j := range len(text) - i {
			add(session.HashParts(text[:i], text[:j]), fmt.Sprint(i, " and ", j, " bytes"))
		}
	}
}

func BenchmarkHashParts(b *testing.B) {
	id := "0198c0de-5f3a-7e21-9b1c-3f6f2a9d4e10"
	for b.Loop() {
		session.HashParts(id)
	}
}
