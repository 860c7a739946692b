package serve

import (
	"errors"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"
)

// byteSize is a flag like "256M" or "1G".
type byteSize int64

const (
	minMemory = 32 << 20
	maxMemory = 1 << 50
)

var sizeUnits = map[byte]int64{'K': 1 << 10, 'M': 1 << 20, 'G': 1 << 30}

// Set parses a size.
func (b *byteSize) Set(s string) error {
	num := strings.TrimSuffix(strings.TrimSuffix(strings.ToUpper(strings.TrimSpace(s)), "B"), "I")
	unit := int64(1)
	if n := len(num); n > 0 && sizeUnits[num[n-1]] != 0 {
		unit, num = sizeUnits[num[n-1]], num[:n-1]
	}
	v, err := strconv.ParseFloat(num, 64)
	v *= float64(unit)
	if err != nil || !(v >= minMemory && v <= maxMemory) { // also false for NaN
		return errors.New("want a size of at least 32M, like 256M or 1G")
	}
	*b = byteSize(v)
	return nil
}

func (b *byteSize) String() string { return strconv.FormatInt(int64(*b)>>20, 10) + "M" }

// Type returns the name of the flag's value for the help text.
func (b *byteSize) Type() string { return "SIZE" }

// applyMemoryLimit makes the garbage collector work harder as the heap approaches the
// size. It is a soft limit: it moves up with the live heap, because below that the
// collector would run continuously without freeing anything.
func (b *byteSize) applyMemoryLimit() {
	debug.SetMemoryLimit(int64(*b))
	afterEachCollection(func() {
		sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(sample)
		b.adjustMemoryLimit(int64(sample[0].Value.Uint64()))
	})
}

// adjustMemoryLimit sets the memory limit for a live heap of the given size.
func (b *byteSize) adjustMemoryLimit(live int64) {
	want := b.memoryLimitFor(live)
	if now := debug.SetMemoryLimit(-1); want > now || want < now-now/16 { // setting the limit stops the world
		debug.SetMemoryLimit(want)
	}
}

// memoryLimitFor returns the larger of the size and 7/6 of the live heap.
func (b *byteSize) memoryLimitFor(live int64) int64 { return max(int64(*b), live+live/6) }

// afterEachCollection calls fn after each run of the garbage collector.
func afterEachCollection(fn func()) {
	type sentinel struct{ _ *byte }
	runtime.SetFinalizer(&sentinel{}, func(*sentinel) {
		fn()
		afterEachCollection(fn)
	})
}
