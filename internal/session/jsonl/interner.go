package jsonl

import (
	"hash/maphash"
	"unicode/utf8"
)

const (
	internSlots = 256 // a power of two
	maxInterned = 256 // bytes of an interned string
)

// Interner returns the same string for equal texts that recur within a short distance, such as ids,
// directories and models. A newer string displaces an older one, so the memory is bounded. The zero
// value is ready to use.
type Interner struct{ slots [internSlots]string }

var internSeed = maphash.MakeSeed()

// Intern returns v.Text(), without an allocation if the same text was returned recently.
func (t *Interner) Intern(v Value) string {
	b := v.Bytes()
	switch {
	case len(b) == 0:
		return ""
	case v.escaped || len(b) > maxInterned || !utf8.Valid(b):
		return v.Text()
	}
	s := &t.slots[maphash.Bytes(internSeed, b)%internSlots]
	if *s != string(b) {
		*s = string(b)
	}
	return *s
}
