package serve

import (
	"runtime/debug"
	"testing"
)

// Collections are rarer for a time, unless GOGC asks for still rarer ones.
func TestCollectLess(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	for _, c := range []struct{ before, meanwhile int }{{100, fillGCPercent}, {50, fillGCPercent}, {900, 900}, {-1, -1}} {
		debug.SetGCPercent(c.before)
		restore := collectLess(fillGCPercent)
		if got := debug.SetGCPercent(c.meanwhile); got != c.meanwhile {
			t.Errorf("after %d: %d in the meantime, want %d", c.before, got, c.meanwhile)
		}
		restore()
		if got := debug.SetGCPercent(c.before); got != c.before {
			t.Errorf("%d became %d", c.before, got)
		}
	}
}
