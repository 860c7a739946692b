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

// The next collection after that of prepareHeap comes when the heap is large, although it is small.
func TestFirstCollection(t *testing.T) {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		t.Skip("the environment says when the garbage is collected")
	}
	if next := atStart.NextGC; next < firstCollection || next > firstCollection*3/2 {
		t.Errorf("the next collection comes at %d bytes, want %d", next, firstCollection)
	}
	runtime.GC()
	if next := readMemStats().NextGC; next > firstCollection/2 {
		t.Errorf("the collection after it comes at %d bytes: it must depend on what is in use", next)
	}
}
