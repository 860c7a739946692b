package jsonl

import (
	"hash/maphash"
	"unicode/utf8"
)

const (
	internSets  = 128 // a power of two
	maxInterned = 256 // bytes of an interned string
)

// Interner returns the same string for equal texts that recur within a short distance, such as ids,
// directories and models. A newer string displaces an older one, so the memory is bounded. The zero
// value is ready to use.
type Interner struct{ sets [internSets]internSet }

// An internSet has the two strings of one hash that were used last, the newest first. With one, two
// texts of every line that happen to share a hash would displace each other on every line.
type internSet [2]string

var internSeed = maphash.MakeSeed()

// Intern returns v.Text(), without an allocation if the same text was returned recently.
func (t *Interner) Intern(v Value) string {
	b := v.Bytes()
	switch {
	case len(b) == 0:
		return ""
	case v.escaped || len(b) > maxInterned:
		return v.Text()
	}
	return t.sets[internHash(b)].intern(v)
}

func internHash(b []byte) uint64 { return maphash.Bytes(internSeed, b) % internSets }

func (s *internSet) intern(v Value) string {
	b := v.Bytes()
	if s[0] == string(b) {
		return s[0]
	}
	used := s[1]
	if used != string(b) {
		if !utf8.Valid(b) {
			return v.Text()
		}
		used = string(b)
	}
	s[0], s[1] = used, s[0]
	return used
}
