package spend

import (
	"math/rand/v2"
	"slices"
)

// The bits of a slot of a holderTable. The highest bits of a key choose the part, and are not stored.
const (
	partBits   = 11
	holderBits = 23
	keyBits    = 64 - holderBits
	holderMask = 1<<holderBits - 1

	maxSources = 1<<(holderBits-1) - 2 // how many numbers of sources there are
)

// holderTable maps the keys of requests to their holders. It has every request of the library, and
// takes 8 bytes for each, with little room for more: 52 bits of the key and the holder.
// That two requests of 20,000 sessions have the same 52 bits has a probability of 1 in 3,000.
//
// A list of sessions adds all its requests before it looks for any. So add appends to a part, and
// sortParts sorts what was added since the last time; the other methods must follow it.
type holderTable struct {
	factor     uint64                  // random, so that a hostile file cannot choose keys of one part
	parts      [1 << partBits][]uint64 // slots, sorted
	unsorted   []int                   // the parts that are not sorted yet
	isUnsorted [1 << partBits]bool
}

// newHolderTable returns an empty table.
func newHolderTable() *holderTable { return &holderTable{factor: rand.Uint64() | 1} }

// id returns the bits of a key that the table distinguishes.
func (t *holderTable) id(key uint64) uint64 { return key * t.factor >> (64 - partBits - keyBits) }

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

// find returns the part of a key, its slot without a holder, and where in the part it is.
func (t *holderTable) find(key uint64) (part *[]uint64, slot uint64, at int, found bool) {
	mixed := key * t.factor
	part = &t.parts[mixed>>(64-partBits)]
	slot = mixed << partBits &^ holderMask
	at, _ = slices.BinarySearch(*part, slot)
	return part, slot, at, at < len(*part) && (*part)[at]&^holderMask == slot
}

// grow makes room for n more keys, so that parts need not be moved again and again.
func (t *holderTable) grow(n int) {
	for i, part := range t.parts {
		t.parts[i] = slices.Grow(part, n>>partBits+n>>(partBits+3)+2)
	}
}

// add adds a holder of a key, which may have others.
func (t *holderTable) add(key uint64, h holder) {
	mixed := key * t.factor
	i, slot := int(mixed>>(64-partBits)), mixed<<partBits&^holderMask|h.pack()
	part := t.parts[i]
	n := len(part)
	if n > 0 && part[n-1] == slot { // the next line of a streamed answer
		return
	}
	if n == cap(part) { // append would make it twice as large
		part = append(make([]uint64, 0, n+n/4+2), part...)
	}
	t.parts[i] = append(part, slot)
	if !t.isUnsorted[i] {
		t.isUnsorted[i] = true
		t.unsorted = append(t.unsorted, i)
	}
}

// sortParts sorts what was added. It calls merge with two holders of a key, for their replacement.
func (t *holderTable) sortParts(merge func(id uint64, a, b holder) holder) {
	for _, i := range t.unsorted {
		t.isUnsorted[i] = false
		part := t.parts[i]
		slices.Sort(part)
		kept := part[:0]
		for _, slot := range part {
			if last := len(kept) - 1; last < 0 || kept[last]&^holderMask != slot&^holderMask {
				kept = append(kept, slot)
			} else {
				id := uint64(i)<<keyBits | slot>>holderBits
				kept[last] = slot&^holderMask | merge(id, unpackHolder(kept[last]&holderMask), unpackHolder(slot&holderMask)).pack()
			}
		}
		t.parts[i] = kept
	}
	t.unsorted = t.unsorted[:0]
}

// count returns the number of keys.
func (t *holderTable) count() (n int) {
	for _, part := range t.parts {
		n += len(part)
	}
	return n
}

// get returns the holder of a key.
func (t *holderTable) get(key uint64) (h holder, ok bool) {
	part, _, at, found := t.find(key)
	if !found {
		return holder{}, false
	}
	return unpackHolder((*part)[at] & holderMask), true
}

// replace replaces the holder of a key.
func (t *holderTable) replace(key uint64, h holder) {
	if part, slot, at, found := t.find(key); found {
		(*part)[at] = slot | h.pack()
	}
}

// remove removes a key.
func (t *holderTable) remove(key uint64) {
	if part, _, at, found := t.find(key); found {
		*part = slices.Delete(*part, at, at+1)
	}
}
