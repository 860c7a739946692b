package jsonl

import (
	"encoding/binary"
	"unsafe"
)

// Fields reads the members of JSON objects into values of type T. It is a table from keys to the
// destinations of their values, built once for each type.
type Fields[T any] struct {
	fields []field[T] // the first one is of no key
	index  [256]uint8 // a hash table with open addressing: indexes into fields, 0 in empty slots
	factor uint64     // of the hashes
}

// field is the destination of the values of one key.
type field[T any] struct {
	words  keyWords
	key    string            // "" for no key
	offset uintptr           // of the destination in T, unless there is a reader
	read   func(*T, *Cursor) // consumes the value
}

// NewFields returns a table of fields. destinations returns the parts of a T that hold the values
// of keys as they are. readers consume the values of other keys. All other values are skipped.
func NewFields[T any](destinations func(*T) map[string]*Value, readers map[string]func(*T, *Cursor)) *Fields[T] {
	t := new(T)
	f := &Fields[T]{fields: make([]field[T], 1)}
	for key, v := range destinations(t) {
		offset := uintptr(unsafe.Pointer(v)) - uintptr(unsafe.Pointer(t))
		if offset > unsafe.Sizeof(*t)-unsafe.Sizeof(*v) {
			panic("jsonl: the destination of " + key + " is not a part of the value")
		}
		f.fields = append(f.fields, field[T]{key: key, offset: offset})
	}
	for key, read := range readers {
		f.fields = append(f.fields, field[T]{key: key, read: read})
	}
	if len(f.fields) >= len(f.index) {
		panic("jsonl: too many fields")
	}
	for i := range f.fields {
		f.fields[i].words = makeKeyWords([]byte(f.fields[i].key))
	}
	f.indexFields()
	return f
}

// oddFactor has no pattern in its bits.
const oddFactor = 0x9e3779b97f4a7c15

// maxFactors is how many factors are tried for a table whose keys have different hashes. For fifty keys
// one in a hundred fits.
const maxFactors = 1000

// indexFields chooses the factor of the hashes and fills the index.
func (f *Fields[T]) indexFields() {
	f.factor = oddFactor
	for n := 1; !f.fillIndex() && n < maxFactors; n++ {
		f.factor *= oddFactor
	}
}

// fillIndex fills the index. It reports whether all keys have different hashes.
func (f *Fields[T]) fillIndex() (perfect bool) {
	f.index, perfect = [256]uint8{}, true
	for n := 1; n < len(f.fields); n++ {
		i := f.hashKey(f.fields[n].words)
		for f.index[i] != 0 {
			i, perfect = i+1, false
		}
		f.index[i] = uint8(n)
	}
	return perfect
}

func (f *Fields[T]) hashKey(w keyWords) uint8 {
	return uint8((w.first + w.last*0xff51afd7ed558ccd) * f.factor >> 56)
}

// findField returns the field of the key that c has reached, or the first field if there is none.
func (f *Fields[T]) findField(c *Cursor) *field[T] {
	i := f.hashKey(c.words)
	for {
		s := &f.fields[f.index[i]]
		if s.key == "" || s.words == c.words && len(s.key) == len(c.key) && (len(c.key) < minLongKey || s.key == string(c.key)) {
			return s
		}
		i++
	}
}

// ReadObject reads the next value into t if it is an object. It skips any other value.
func (f *Fields[T]) ReadObject(c *Cursor, t *T) {
	for ok := c.EnterObject(); ok; ok = c.More() {
		switch s := f.findField(c); {
		case s.read != nil:
			s.read(t, c)
		case s.key != "":
			*(*Value)(unsafe.Add(unsafe.Pointer(t), s.offset)) = c.Value()
		default:
			c.Skip()
		}
	}
}

// keyWords are the bytes of a key: all of a short key, and the first and the last eight of a long one. Keys
// are compared in them first, because that takes no call.
type keyWords struct{ first, last uint64 }

// minLongKey is the length of the shortest long key.
const minLongKey = 16

func makeKeyWords(key []byte) (w keyWords) {
	if len(key) >= minLongKey {
		return keyWords{binary.LittleEndian.Uint64(key), binary.LittleEndian.Uint64(key[len(key)-8:])}
	}
	var padded [16]byte
	copy(padded[:], key)
	return keyWords{binary.LittleEndian.Uint64(padded[:]), binary.LittleEndian.Uint64(padded[8:])}
}
