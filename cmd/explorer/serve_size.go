package main

import (
	"errors"
	"runtime/debug"
	"strconv"
	"strings"
)

// byteSize is a flag like "256M" or "1G".
type byteSize int64

const (
	leastMemory = 32 << 20
	mostMemory  = 1 << 50
)

var sizeUnits = map[byte]int64{'K': 1 << 10, 'M': 1 << 20, 'G': 1 << 30}

// Set reads a size.
func (b *byteSize) Set(s string) error {
	num := strings.TrimSuffix(strings.TrimSuffix(strings.ToUpper(strings.TrimSpace(s)), "B"), "I")
	unit := int64(1)
	if n := len(num); n > 0 && sizeUnits[num[n-1]] != 0 {
		unit, num = sizeUnits[num[n-1]], num[:n-1]
	}
	v, err := strconv.ParseFloat(num, 64)
	v *= float64(unit)
	if err != nil || !(v >= leastMemory && v <= mostMemory) { // false for NaN, too
		return errors.New("want a size of at least 32M, like 256M or 1G")
	}
	*b = byteSize(v)
	return nil
}

func (b *byteSize) String() string { return strconv.FormatInt(int64(*b)>>20, 10) + "M" }

// Type names the flag's value in help.
func (b *byteSize) Type() string { return "SIZE" }

// apply makes the collector work harder as the size is neared. It is no hard
// bound: a session larger than that still opens.
func (b *byteSize) apply() { debug.SetMemoryLimit(int64(*b)) }
