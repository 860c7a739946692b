package startup

import (
	"os"
	"runtime"
	"testing"
)

// atStart are the statistics after prepareHeap.
var atStart = readMemStats()

func readMemStats() (m runtime.MemStats) {
	runtime.ReadMemStats(&m)
	return m
}

// The garbage collector waits until the heap has twice the size of the ballast, until that is dropped.
func TestDropBallast(t *testing.T) {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		t.Skip("the environment says when the garbage is collected")
	}
	check := func(when string, next uint64) {
		t.Helper()
		if next < 2*BallastSize || next > 3*BallastSize {
			t.Errorf("%s the next collection comes at %d bytes, want %d", when, next, 2*BallastSize)
		}
	}
	check("at the start", atStart.NextGC)
	runtime.GC()
	check("after a collection", readMemStats().NextGC)
	DropBallast()
	runtime.GC()
	if next := readMemStats().NextGC; next >= BallastSize {
		t.Errorf("without ballast the next collection comes at %d bytes", next)
	}
}
