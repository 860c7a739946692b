package spend

import (
	"math/bits"
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
type holderTable struct {
	factor uint64                  // random, so that a hostile file cannot choose keys of one part
	parts  [1 << partBits][]uint64 // sorted slots
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

// find returns the part of a key, its slot without a holder, and where in the part it is or belongs.
func (t *holderTable) find(key uint64) (part *[]uint64, slot uint64, at int, found bool) {
	mixed := key * t.factor
	part = &t.parts[mixed>>(64-partBits)]
	slot = mixed << partBits &^ holderMask
	at = findSlot(*part, slot)
	return part, slot, at, at < len(*part) && (*part)[at]&^holderMask == slot
}

// findSlot returns the index of the first slot of a part that is not less than a slot. Keys are spread
// evenly by the factor, so it searches from where the slot would be if they were exactly even. In a
// part of less than a thousand that is faster than a binary search, whose branches are mispredicted.
func findSlot(part []uint64, slot uint64) int {
	share, _ := bits.Mul64(slot, uint64(len(part)))
	at := int(share)
	for at < len(part) && part[at] < slot {
		at++
	}
	for at > 0 && part[at-1] >= slot {
		at--
	}
	return at
}

// count returns the number of keys.
func (t *holderTable) count() (n int) {
	for _, part := range t.parts {
		n += len(part)
	}
	return n
}

// grow makes room for n more keys, so that parts need not be moved again and again.
func (t *holderTable) grow(n int) {
	for i, part := range t.parts {
		t.parts[i] = slices.Grow(part, n>>partBits+n>>(partBits+3)+2)
	}
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
	if part, slot, at, found := t.find(key); found {
		(*part)[at] = slot | h.pack()
	} else {
		insert(part, at, slot|h.pack())
	}
}

// putNew sets the holder of a key that has none. Otherwise it returns the holder.
func (t *holderTable) putNew(key uint64, h holder) (old holder, known bool) {
	part, slot, at, found := t.find(key)
	if found {
		return unpackHolder((*part)[at] & holderMask), true
	}
	insert(part, at, slot|h.pack())
	return holder{}, false
}

// insert inserts a slot in a part.
func insert(part *[]uint64, at int, slot uint64) {
	if n := len(*part); n == cap(*part) { // slices.Insert would make it half as large again
		*part = append(make([]uint64, 0, n+n/8+2), *part...)
	}
	*part = slices.Insert(*part, at, slot)
}

// putUnsorted adds a key that the table may have. sortParts must follow before other methods.
func (t *holderTable) putUnsorted(key uint64, h holder) {
	mixed := key * t.factor
	part := &t.parts[mixed>>(64-partBits)]
	*part = append(*part, mixed<<partBits&^holderMask|h.pack())
}

// sortParts sorts what putUnsorted added. It calls merge with two holders of a key, for their
// replacement.
func (t *holderTable) sortParts(merge func(id uint64, a, b holder) holder) {
	for i, part := range t.parts {
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
}

// remove removes a key.
func (t *holderTable) remove(key uint64) {
	if part, _, at, found := t.find(key); found {
		*part = slices.Delete(*part, at, at+1)
	}
}
