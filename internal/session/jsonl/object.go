package jsonl

import (
	"bytes"
	"encoding/json"
)

// Object is a JSON object with its keys in the order of the line. It is for bodies, which are read
// once; scanning uses a Cursor.
type Object []Field

// Field is one key and its value.
type Field struct {
	Key   []byte
	Value Value
}

// ParseObject parses a text that must be exactly one JSON object. It returns ErrNotObject for any
// other JSON value.
func ParseObject(text []byte) (Value, error) {
	c := NewCursor(text)
	v := c.Value()
	if err := c.End(); err != nil {
		return Value{}, err
	}
	if v.Kind() != '{' {
		return Value{}, ErrNotObject
	}
	return v, nil
}

// ObjectFields returns the fields of an object, none for any other value.
func ObjectFields(v Value) Object {
	c := NewCursor(v.Raw)
	return AppendFields(nil, &c)
}

// AppendFields consumes the next value of c and appends its fields.
func AppendFields(o Object, c *Cursor) Object {
	for ok := c.EnterObject(); ok; ok = c.More() {
		f := Field{Key: c.Key()}
		f.Value = c.Value()
		o = append(o, f)
	}
	return o
}

// ArrayElements returns the elements of an array, none for any other value.
func ArrayElements(v Value) (out []Value) {
	c := NewCursor(v.Raw)
	for ok := c.EnterArray(); ok; ok = c.More() {
		out = append(out, c.Value())
	}
	return out
}

// Get returns the value of a key, the last one if the key is repeated.
func (o Object) Get(key string) Value {
	for i := len(o) - 1; i >= 0; i-- {
		if string(o[i].Key) == key {
			return o[i].Value
		}
	}
	return Value{}
}

// Keys returns the keys in order, without repetitions.
func (o Object) Keys() (out []string) {
	seen := map[string]bool{}
	for _, f := range o {
		if !seen[string(f.Key)] {
			seen[string(f.Key)] = true
			out = append(out, string(f.Key))
		}
	}
	return out
}

// Text returns the string value of a key, "" if it is no string.
func (o Object) Text(key string) string { return o.Get(key).Text() }

// IsTrue reports whether the value of a key is true.
func (o Object) IsTrue(key string) bool { return o.Get(key).Kind() == 't' }

// Count returns the value of a key as a count, 0 if it cannot be one.
func (o Object) Count(key string) int64 { return o.Get(key).Count() }

// CloneRaw returns a copy of the value's JSON as valid UTF-8, nil if there is no value.
func (v Value) CloneRaw() json.RawMessage {
	if len(v.Raw) == 0 {
		return nil
	}
	return bytes.ToValidUTF8(bytes.Clone(v.Raw), []byte("\uFFFD"))
}
