package serve

import (
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"testing"
	"time"
)

// The limit stays above the live heap, because below it the collector would run
// continuously. It returns to the size afterwards.
func TestByteSizeAdjust(t *testing.T) {
	before := debug.SetMemoryLimit(-1)
	defer debug.SetMemoryLimit(before)
	size := byteSize(256 << 20)
	debug.SetMemoryLimit(int64(size))
	for _, c := range []struct{ live, want int64 }{
		{100 << 20, 256 << 20},
		{480 << 20, 560 << 20},
		{475 << 20, 560 << 20}, // a slightly lower limit is not worth the pause
		{900 << 20, 1050 << 20},
		{100 << 20, 256 << 20},
	} {
		size.adjustMemoryLimit(c.live)
		if got := debug.SetMemoryLimit(-1); got != c.want {
			t.Errorf("with %d MiB in use the limit is %d MiB, want %d", c.live>>20, got>>20, c.want>>20)
		}
	}
}

func TestAfterEachCollection(t *testing.T) {
	var ran atomic.Int32
	afterEachCollection(func() { ran.Add(1) })
	for deadline := time.Now().Add(30 * time.Second); ran.Load() < 3; runtime.GC() {
		if time.Now().After(deadline) {
			t.Fatalf("called %d times in 30 s of collections", ran.Load())
		}
		runtime.Gosched()
	}
}

func TestByteSize(t *testing.T) {
	for in, want := range map[string]int64{"256M": 256 << 20, "1G": 1 << 30, "1.5GiB": 3 << 29, "64mb": 64 << 20, "33554432": 32 << 20, "": -1, "1M": -1, "x": -1, "-5G": -1, "9999999G": -1, "NaN": -1} {
		var b byteSize
		err := b.Set(in)
		if want == -1 && err == nil || want != -1 && (err != nil || int64(b) != want) {
			t.Errorf("Set(%q) = %d, %v; want %d", in, b, err, want)
		}
	}
}
