package session

import "hash/maphash"

// index finds things by a string that they hold themselves, so that it keeps no
// strings: hashes and numbers only, with nothing for the collector to look at.
type index struct {
	text  func(at int32) string // what the thing numbered at is found by
	slots []slot                // a power of two of them, a quarter of them free at least
	n     int
}

// slot is one place of an index; at counts from 1, 0 is free.
type slot struct {
	hash uint32
	at   int32
}

var seed = maphash.MakeSeed()

func hash(s string) uint32 { return uint32(maphash.String(seed, s)) }

// newIndex makes an index with room for n things.
func newIndex(n int, text func(at int32) string) index {
	size := 8
	for size*3 < n*4 {
		size *= 2
	}
	return index{text: text, slots: make([]slot, size)}
}

// find answers the number of what holds s, or -1.
func (x *index) find(s string) int32 {
	if x.n == 0 {
		return -1
	}
	return x.at(hash(s), s).at - 1
}

// put numbers what holds s, unless something was put by s before: then it answers
// that and changes nothing.
func (x *index) put(s string, at int32) (old int32, known bool) {
	if (x.n+1)*4 > len(x.slots)*3 {
		x.grow()
	}
	h := hash(s)
	to := x.at(h, s)
	if to.at != 0 {
		return to.at - 1, true
	}
	x.n++
	*to = slot{h, at + 1}
	return at, false
}

// replace numbers what holds s, whatever was put by s before.
func (x *index) replace(s string, at int32) {
	if _, known := x.put(s, at); known {
		x.at(hash(s), s).at = at + 1
	}
}

// at answers the slot of s, which is free when nothing was put by s.
func (x *index) at(h uint32, s string) *slot {
	mask := len(x.slots) - 1
	for i := int(h) & mask; ; i = (i + 1) & mask {
		p := &x.slots[i]
		if p.at == 0 || p.hash == h && x.text(p.at-1) == s {
			return p
		}
	}
}

func (x *index) grow() {
	old := x.slots
	x.slots = make([]slot, 2*len(old))
	mask := len(x.slots) - 1
	for _, s := range old {
		if s.at == 0 {
			continue
		}
		i := int(s.hash) & mask
		for x.slots[i].at != 0 {
			i = (i + 1) & mask
		}
		x.slots[i] = s
	}
}
