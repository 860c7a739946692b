// Package memlimit makes the garbage collector keep the memory of the program near a size.
package memlimit

import (
	"errors"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"
	"sync/atomic"
)

// Size is a number of bytes, and a flag like "256M" or "1G".
type Size int64

const (
	minMemory = 32 << 20
	maxMemory = 1 << 50
)

var sizeUnits = map[byte]int64{'K': 1 << 10, 'M': 1 << 20, 'G': 1 << 30}

// Set parses a size.
func (b *Size) Set(s string) error {
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
	*b = Size(v)
	return nil
}

func (b *Size) String() string { return strconv.FormatInt(int64(*b)>>20, 10) + "M" }

// Type returns the name of the flag's value for the help text.
func (b *Size) Type() string { return "SIZE" }

// minHeadroom is the least that may be allocated between two collections.
const minHeadroom = 20 << 20

// Limit makes the garbage collector work harder as the memory in use approaches a
// size. It is a soft limit: it moves up with the live heap, because below that the
// collector would run continuously without freeing anything.
type Limit struct {
	size   Size
	raised atomic.Int64 // bytes
}

// Apply limits the memory of the process to about the size.
func (b Size) Apply() *Limit {
	l := &Limit{size: b}
	debug.SetMemoryLimit(int64(b))
	afterEachCollection(func() { l.adjust(readMemoryUse()) })
	return l
}

// Raise adds to the limit until done is called: for short work that would take noticeably longer
// near it.
func (l *Limit) Raise(by Size) (done func()) {
	add := func(n Size) {
		l.raised.Add(int64(n))
		l.adjust(readMemoryUse())
	}
	add(by)
	return func() { add(-by) }
}

// memoryUse is what the runtime uses memory for, in bytes.
type memoryUse struct {
	live  int64 // objects that the last collection kept
	other int64 // stacks, tables, and parts of blocks that hold no object; the limit counts them too
}

func readMemoryUse() memoryUse {
	samples := []metrics.Sample{
		{Name: "/gc/heap/live:bytes"}, {Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"},
		{Name: "/memory/classes/heap/free:bytes"}, {Name: "/memory/classes/heap/objects:bytes"},
	}
	metrics.Read(samples)
	value := func(i int) int64 { return int64(samples[i].Value.Uint64()) }
	return memoryUse{live: value(0), other: value(1) - value(2) - value(3) - value(4)}
}

// adjust sets the memory limit for the memory in use.
func (l *Limit) adjust(use memoryUse) {
	want := l.limitFor(use)
	if now := debug.SetMemoryLimit(-1); want > now || want < now-now/16 { // setting the limit stops the world
		debug.SetMemoryLimit(want)
	}
}

// limitFor returns the larger of the size and what is in use with headroom: a sixth of
// the live heap, at least minHeadroom.
func (l *Limit) limitFor(use memoryUse) int64 {
	return max(int64(l.size)+l.raised.Load(), use.live+max(use.live/6, minHeadroom)+use.other)
}

// afterEachCollection calls fn after each run of the garbage collector.
func afterEachCollection(fn func()) {
	type sentinel struct{ _ *byte }
	runtime.SetFinalizer(&sentinel{}, func(*sentinel) {
		fn()
		afterEachCollection(fn)
	})
}
