package jsonl

import "unsafe"

// Fields reads the members of JSON objects into values of type T. It is a table from keys to the
// destinations of their values, built once for each type.
type Fields[T any] struct {
	slots []field[T] // a hash table with open addressing; the length is a power of two
}

// field is the destination of the values of one key.
type field[T any] struct {
	key    string            // "" in an empty slot
	offset uintptr           // of the destination in T, unless there is a reader
	read   func(*T, *Cursor) // consumes the value
}

// NewFields returns a table of fields. destinations returns the parts of a T that hold the values
// of keys as they are. readers consume the values of other keys. All other values are skipped.
func NewFields[T any](destinations func(*T) map[string]*Value, readers map[string]func(*T, *Cursor)) *Fields[T] {
	t := new(T)
	values := destinations(t)
	size := 8
	for size < 4*(len(values)+len(readers)) {
		size *= 2
	}
	f := &Fields[T]{slots: make([]field[T], size)}
	for key, v := range values {
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

func (f *Fields[T]) addField(added field[T]) { *f.findSlot([]byte(added.key)) = added }

// findSlot returns the slot of a key, or an empty slot.
func (f *Fields[T]) findSlot(key []byte) *field[T] {
	i := len(key)
	if i > 0 { // keys differ in their lengths or in a few characters
		i += int(key[0])*3 + int(key[len(key)/2])*5 + int(key[len(key)-1])*17
	}
	s := &f.slots[i&(len(f.slots)-1)]
	for s.key != string(key) && s.key != "" {
		i++
		s = &f.slots[i&(len(f.slots)-1)]
	}
	return s
}

// ReadObject reads the next value into t if it is an object. It skips any other value.
func (f *Fields[T]) ReadObject(c *Cursor, t *T) {
	for ok := c.EnterObject(); ok; ok = c.More() {
		switch s := f.findSlot(c.key); {
		case s.read != nil:
			s.read(t, c)
		case s.key != "":
			*(*Value)(unsafe.Add(unsafe.Pointer(t), s.offset)) = c.Value()
		default:
			c.Skip()
		}
	}
}
