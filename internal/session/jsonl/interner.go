package jsonl

import (
	"hash/maphash"
	"unicode/utf8"
)

const (
	internSlots = 256 // a power of two
	maxInterned = 256 // bytes of a string that is remembered
)

// Interner returns the same string for equal texts that follow one another closely:
// ids that the next lines name, directories, models. A newer string displaces an
// older one, so it holds a bounded number of short strings. The zero value is ready.
type Interner struct{ slots [internSlots]string }

var internSeed = maphash.MakeSeed()

// Intern is v.Intern, without an allocation where the same text was asked for recently.
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
