package jsonl

import "unsafe"

// Fields reads the members of JSON objects into values of type T. It is a table from keys to the
// destinations of their values, built once for each type.
type Fields[T any] struct {
	fields []field[T] // the first one is of no key
	index  [256]uint8 // a hash table with open addressing: indexes into fields, 0 in empty slots
}

// field is the destination of the values of one key.
type field[T any] struct {
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
		f.addField(field[T]{key: key, offset: offset})
	}
	for key, read := range readers {
		f.addField(field[T]{key: key, read: read})
	}
	return f
}

func (f *Fields[T]) addField(added field[T]) {
	i := hashKey([]byte(added.key))
	for f.index[i] != 0 {
		i++
	}
	f.index[i] = uint8(len(f.fields))
	f.fields = append(f.fields, added)
	if len(f.fields) == len(f.index) {
		panic("jsonl: too many fields")
	}
}

// hashKey returns a hash of a key. The keys of an object differ in their lengths or in a few
// characters. The factors were searched for: with these, no two keys of a table of any format
// share a slot.
func hashKey(key []byte) uint8 {
	n := len(key)
	if n == 0 {
		return 0
	}
	return uint8(n)*89 + key[0]*51 + key[n/2]*171 + key[n-1]*201
}

// findField returns the field of a key, or the first field if there is none.
func (f *Fields[T]) findField(key []byte) *field[T] {
	i := hashKey(key)
	s := &f.fields[f.index[i]]
	if s.key == string(key) || s.key == "" {
		return s
	}
	return f.findFieldAfter(i, key)
}

// findFieldAfter is findField for a key whose slot i holds another key. It is separate, so
// that findField is inlined.
func (f *Fields[T]) findFieldAfter(i uint8, key []byte) *field[T] {
	for {
		i++
		if s := &f.fields[f.index[i]]; s.key == string(key) || s.key == "" {
			return s
		}
	}
}

// ReadObject reads the next value into t if it is an object. It skips any other value.
func (f *Fields[T]) ReadObject(c *Cursor, t *T) {
	for ok := c.EnterObject(); ok; ok = c.More() {
		switch s := f.findField(c.key); {
		case s.read != nil:
			s.read(t, c)
		case s.key != "":
			*(*Value)(unsafe.Add(unsafe.Pointer(t), s.offset)) = c.Value()
		default:
			c.Skip()
		}
	}
}
