package session

import "hash/maphash"

// stringIndex finds things by a string that they hold themselves, so that it keeps no
// strings: hashes and numbers only, with nothing for the collector to look at.
type stringIndex struct {
	key   func(at int32) string // what the thing numbered at is found by
	slots []indexSlot           // a power of two of them, a quarter of them free at least
	count int
}

// indexSlot is one place of an index; at counts from 1, 0 is free.
type indexSlot struct {
	hash   uint32
	number int32
}

var hashSeed = maphash.MakeSeed()

func hashString(s string) uint32 { return uint32(maphash.String(hashSeed, s)) }

// newStringIndex makes an index with room for n things.
func newStringIndex(n int, text func(at int32) string) stringIndex {
	size := 8
	for size*3 < n*4 {
		size *= 2
	}
	return stringIndex{key: text, slots: make([]indexSlot, size)}
}

// findNumber answers the number of what holds s, or -1.
func (x *stringIndex) findNumber(s string) int32 {
	if x.count == 0 {
		return -1
	}
	return x.findSlot(hashString(s), s).number - 1
}

// addNumber numbers what holds s, unless something was put by s before: then it answers
// that and changes nothing.
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

// setNumber numbers what holds s, whatever was put by s before.
func (x *stringIndex) setNumber(s string, at int32) {
	if _, known := x.addNumber(s, at); known {
		x.findSlot(hashString(s), s).number = at + 1
	}
}

// findSlot answers the slot of s, which is free when nothing was put by s.
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
