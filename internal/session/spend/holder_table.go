package spend

import (
	"math/bits"
	"math/rand/v2"
)

// holderTable maps the keys of requests to their holders. It is a hash table with linear probing,
// which takes less memory than a map: 12 bytes a slot. It has every request of the library.
type holderTable struct {
	factor uint64 // random, so that a hostile file cannot choose keys of one slot
	keys   []uint64
	values []uint32 // packed holders, 0 in empty slots
	count  int
}

// newHolderTable returns an empty table.
func newHolderTable() *holderTable { return &holderTable{factor: rand.Uint64() | 1} }

// pack returns h as a number that is not 0.
func (h holder) pack() uint32 {
	packed := uint32(h.number-isShared+1) << 1
	if h.copied {
		packed |= 1
	}
	return packed
}

func unpackHolder(packed uint32) holder {
	return holder{number: int32(packed>>1) + isShared - 1, copied: packed&1 != 0}
}

// home returns the slot of a key in a table without other keys.
func (t *holderTable) home(key uint64) int {
	slot, _ := bits.Mul64(key*t.factor, uint64(len(t.keys)))
	return int(slot)
}

// find returns the slot of a key, or the empty slot where it belongs. There is one.
func (t *holderTable) find(key uint64) int {
	i := t.home(key)
	for t.values[i] != 0 && t.keys[i] != key {
		i = t.next(i)
	}
	return i
}

// next returns the slot after slot i.
func (t *holderTable) next(i int) int {
	if i++; i < len(t.keys) {
		return i
	}
	return 0
}

// get returns the holder of a key.
func (t *holderTable) get(key uint64) (h holder, ok bool) {
	if t.count == 0 {
		return holder{}, false
	}
	packed := t.values[t.find(key)]
	return unpackHolder(packed), packed != 0
}

// put sets the holder of a key.
func (t *holderTable) put(key uint64, h holder) {
	if t.count >= len(t.keys)/6*5 {
		t.grow()
	}
	i := t.find(key)
	if t.values[i] == 0 {
		t.count++
	}
	t.keys[i], t.values[i] = key, h.pack()
}

// grow makes the table a quarter larger. Twice as large it would be half empty most of the time.
func (t *holderTable) grow() {
	old := *t
	size := max(64, len(old.keys)/4*5)
	t.keys, t.values = make([]uint64, size), make([]uint32, size)
	for i, packed := range old.values {
		if packed != 0 {
			at := t.find(old.keys[i])
			t.keys[at], t.values[at] = old.keys[i], packed
		}
	}
}

// remove removes a key, and moves the keys that are not in their own slots because of it.
func (t *holderTable) remove(key uint64) {
	if t.count == 0 {
		return
	}
	hole := t.find(key)
	if t.values[hole] == 0 {
		return
	}
	t.count--
	for i := t.next(hole); t.values[i] != 0; i = t.next(i) {
		if t.distance(t.home(t.keys[i]), i) >= t.distance(hole, i) {
			t.keys[hole], t.values[hole] = t.keys[i], t.values[i]
			hole = i
		}
	}
	t.values[hole] = 0
}

// distance returns how many slots to is after from.
func (t *holderTable) distance(from, to int) int {
	if to < from {
		to += len(t.keys)
	}
	return to - from
}
