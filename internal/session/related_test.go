package session

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestMergeIDs(t *testing.T) {
	t.Parallel()
	for range 1000 {
		ids := func(n int) (list []uint64) {
			for range rand.IntN(n) {
				list = append(list, rand.Uint64N(20))
			}
			return list
		}
		a, b := slices.Compact(slices.Sorted(slices.Values(ids(12)))), ids(6)
		want := slices.Compact(slices.Sorted(slices.Values(slices.Concat(a, b))))
		if got := mergeIDs(a, b); !slices.Equal(got, want) {
			t.Fatalf("%v and %v merge to %v, want %v", a, b, got, want)
		}
	}
}
