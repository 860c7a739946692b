package memlimit

import (
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"testing"
	"time"
)

// The limit stays above the live heap, because below it the collector would run
// continuously. It returns to the size afterwards.
func TestLimit_Adjust(t *testing.T) {
	before := debug.SetMemoryLimit(-1)
	defer debug.SetMemoryLimit(before)
	limit := Limit{size: 256 << 20}
	debug.SetMemoryLimit(int64(limit.size))
	for _, c := range []struct{ live, other, want int64 }{
		{100 << 20, 20 << 20, 256 << 20},
		{480 << 20, 0, 560 << 20},
		{475 << 20, 0, 560 << 20}, // a slightly lower limit is not worth the pause
		{480 << 20, 40 << 20, 600 << 20},
		{900 << 20, 0, 1050 << 20},
		{100 << 20, 20 << 20, 256 << 20},
	} {
		limit.adjust(memoryUse{c.live, c.other})
		if got := debug.SetMemoryLimit(-1); got != c.want {
			t.Errorf("with %d MiB in use the limit is %d MiB, want %d", (c.live+c.other)>>20, got>>20, c.want>>20)
		}
	}
}

// The limit is back at the size after it was raised twice at the same time.
func TestLimit_Raise(t *testing.T) {
	before := debug.SetMemoryLimit(-1)
	defer debug.SetMemoryLimit(before)
	limit := Limit{size: 1 << 40} // above what the tests use
	check := func(want int64) {
		t.Helper()
		if got := debug.SetMemoryLimit(-1); got != want {
			t.Errorf("the limit is %d MiB, want %d", got>>20, want>>20)
		}
	}
	first := limit.Raise(1 << 39)
	check(3 << 39)
	second := limit.Raise(1 << 39)
	check(4 << 39)
	first()
	check(3 << 39)
	second()
	check(1 << 40)
}

// A heap above the size is not collected more often than every minHeadroom bytes, also
// if stacks and tables take more than a sixth of the heap.
func TestLimit_CollectsRarely(t *testing.T) {
	before := debug.SetMemoryLimit(-1)
	defer debug.SetMemoryLimit(before)
	live := make([]*[64]byte, 1<<19) // 32 MiB in small objects
	for i := range live {
		live[i] = new([64]byte)
	}
	end := make(chan struct{})
	defer close(end)
	for range 2000 { // their stacks take 16 MiB
		go func() { useStack(); <-end }()
	}
	limit := Limit{size: minMemory}
	debug.SetMemoryLimit(int64(limit.size))
	for range 2 { // the first collection frees what earlier tests left
		runtime.GC()
		limit.adjust(readMemoryUse())
	}
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	began := stats.NumGC
	for range (2 * minHeadroom) >> 12 {
		allocated = make([]byte, 1<<12)
	}
	runtime.ReadMemStats(&stats)
	if n := stats.NumGC - began; n > 4 {
		t.Errorf("%d collections while %d MiB were allocated, want at most 4", n, 2*minHeadroom>>20)
	}
	runtime.KeepAlive(live)
}

// allocated keeps what a test allocates from being optimized away.
var allocated []byte

// useStack makes the stack of its goroutine grow.
func useStack() {
	var text [6 << 10]byte
	for i := range text {
		text[i] = byte(i)
	}
	runtime.KeepAlive(&text)
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

func TestSize_Set(t *testing.T) {
	for in, want := range map[string]int64{"256M": 256 << 20, "1G": 1 << 30, "1.5GiB": 3 << 29, "64mb": 64 << 20, "33554432": 32 << 20, "": -1, "1M": -1, "x": -1, "-5G": -1, "9999999G": -1, "NaN": -1} {
		var b Size
		err := b.Set(in)
		if want == -1 && err == nil || want != -1 && (err != nil || int64(b) != want) {
			t.Errorf("Set(%q) = %d, %v; want %d", in, b, err, want)
		}
	}
}
