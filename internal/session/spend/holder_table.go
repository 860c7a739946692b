package spend

import (
	"math/rand/v2"
	"slices"
)

// The bits of a slot of a holderTable. The highest bits of a key choose the part, and are not stored.
const (
	partBits   = 11
	holderBits = 23
	holderMask = 1<<holderBits - 1

	maxSources = 1<<(holderBits-1) - 2 // how many numbers of sources there are
)

// holderTable maps the keys of requests to their holders. It has every request of the library, and
// takes 8 bytes for each, with little room for more: 52 bits of the key and the holder.
// That two requests of 20,000 sessions have the same 52 bits has a probability of 1 in 3,000.
type holderTable struct {
	factor uint64                  // random, so that a hostile file cannot choose keys of one part
	parts  [1 << partBits][]uint64 // sorted slots
}

// newHolderTable returns an empty table.
func newHolderTable() *holderTable { return &holderTable{factor: rand.Uint64() | 1} }

// pack returns h as a number below 1<<holderBits.
func (h holder) pack() uint64 {
	packed := uint64(h.number-isShared) << 1
	if h.copied {
		packed |= 1
	}
	return packed
}

func unpackHolder(packed uint64) holder {
	return holder{number: int32(packed>>1) + isShared, copied: packed&1 != 0}
}

// find returns the part of a key, its slot without a holder, and where in the part it is or belongs.
func (t *holderTable) find(key uint64) (part *[]uint64, slot uint64, at int, found bool) {
	mixed := key * t.factor
	part = &t.parts[mixed>>(64-partBits)]
	slot = mixed << partBits &^ holderMask
	at, _ = slices.BinarySearch(*part, slot)
	return part, slot, at, at < len(*part) && (*part)[at]&^holderMask == slot
}

// get returns the holder of a key.
func (t *holderTable) get(key uint64) (h holder, ok bool) {
	part, _, at, found := t.find(key)
	if !found {
		return holder{}, false
	}
	return unpackHolder((*part)[at] & holderMask), true
}

// put sets the holder of a key.
func (t *holderTable) put(key uint64, h holder) {
	part, slot, at, found := t.find(key)
	if found {
		(*part)[at] = slot | h.pack()
		return
	}
	if n := len(*part); n == cap(*part) { // slices.Insert would make it half as large again
		*part = append(make([]uint64, 0, n+n/8+2), *part...)
	}
	*part = slices.Insert(*part, at, slot|h.pack())
}

// remove removes a key.
func (t *holderTable) remove(key uint64) {
	if part, _, at, found := t.find(key); found {
		*part = slices.Delete(*part, at, at+1)
	}
}
