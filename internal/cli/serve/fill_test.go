package serve

import "testing"

// Collections are rarer for a time, unless GOGC asks for still rarer ones.
func TestCollectLess(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ usual, want int }{{100, fillGCPercent}, {50, fillGCPercent}, {900, 900}, {-1, -1}} {
		if got := collectLess(c.usual, fillGCPercent); got != c.want {
			t.Errorf("after %d: %d, want %d", c.usual, got, c.want)
		}
	}
}
