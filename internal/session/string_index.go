package session

import "hash/maphash"

// stringIndex finds numbered items by a string that they contain. It stores only hashes
// and numbers, so it has nothing for the garbage collector to scan.
type stringIndex struct {
	key   func(at int32) string // returns the string of an item
	slots []indexSlot           // a power of two of them, at least a quarter free
	count int
}

// indexSlot is one slot of an index; number counts from 1, 0 is free.
type indexSlot struct {
	hash   uint32
	number int32
}

var hashSeed = maphash.MakeSeed()

func hashString(s string) uint32 { return uint32(maphash.String(hashSeed, s)) }

// newStringIndex returns an index with room for n items.
func newStringIndex(n int, text func(at int32) string) stringIndex {
	size := 8
	for size*3 < n*4 {
		size *= 2
	}
	return stringIndex{key: text, slots: make([]indexSlot, size)}
}

// findNumber returns the number of the item with string s, or -1.
func (x *stringIndex) findNumber(s string) int32 {
	if x.count == 0 {
		return -1
	}
	return x.findSlot(hashString(s), s).number - 1
}

// addNumber adds the number of an item with string s. If the index has s already, it
// returns that number and changes nothing.
func (x *stringIndex) addNumber(s string, at int32) (old int32, known bool) {
	if (x.count+1)*4 > len(x.slots)*3 {
		x.growSlots()
	}
	h := hashString(s)
	to := x.findSlot(h, s)
	if to.number != 0 {
		return to.number - 1, true
	}
	x.count++
	*to = indexSlot{h, at + 1}
	return at, false
}

// setNumber sets the number of the item with string s.
func (x *stringIndex) setNumber(s string, at int32) {
	if _, known := x.addNumber(s, at); known {
		x.findSlot(hashString(s), s).number = at + 1
	}
}

// findSlot returns the slot of s, or the free slot for it.
func (x *stringIndex) findSlot(h uint32, s string) *indexSlot {
	mask := len(x.slots) - 1
	for i := int(h) & mask; ; i = (i + 1) & mask {
		p := &x.slots[i]
		if p.number == 0 || p.hash == h && x.key(p.number-1) == s {
			return p
		}
	}
}

func (x *stringIndex) growSlots() {
	old := x.slots
	x.slots = make([]indexSlot, 2*len(old))
	mask := len(x.slots) - 1
	for _, s := range old {
		if s.number == 0 {
			continue
		}
		i := int(s.hash) & mask
		for x.slots[i].number != 0 {
			i = (i + 1) & mask
		}
		x.slots[i] = s
	}
}
