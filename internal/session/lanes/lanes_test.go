package lanes

import (
	"testing"

	"pgregory.net/rapid"
)

// No two branches share a place of a lane, and the line from a fork down to its branch
// crosses no other branch.
func TestPack_NoCrossing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		all := drawBranches(rt)
		Pack(all)
		laneOf := func(up int32) int32 {
			if up < 0 {
				return 0
			}
			return all[up].Lane
		}
		for i, b := range all {
			if b.Lane <= laneOf(b.Up) {
				rt.Fatalf("branch %d is in lane %d, the one it leaves in %d: %v", i, b.Lane, laneOf(b.Up), all)
			}
			for k, o := range all {
				if i == k {
					continue
				}
				if b.Lane == o.Lane && b.X0 <= o.X1 && o.X0 <= b.X1 {
					rt.Fatalf("branches %d and %d overlap: %v", i, k, all)
				}
				if o.Lane > laneOf(b.Up) && o.Lane < b.Lane && o.X0 < b.X0 && b.X0 < o.X1 {
					rt.Fatalf("the line to branch %d crosses branch %d: %v", i, k, all)
				}
			}
		}
	})
}

// drawBranches draws branches, each of which leaves an earlier one within its places.
func drawBranches(t *rapid.T) []Branch {
	all := make([]Branch, rapid.IntRange(0, 30).Draw(t, "branches"))
	for i := range all {
		up, low, high := rapid.Int32Range(-1, int32(i-1)).Draw(t, "up"), int32(0), int32(100)
		if up >= 0 {
			low, high = all[up].X0, all[up].X1
		}
		x0 := rapid.Int32Range(low, high).Draw(t, "from")
		all[i] = Branch{Up: up, X0: x0, X1: rapid.Int32Range(x0, 120).Draw(t, "to")}
	}
	return all
}
