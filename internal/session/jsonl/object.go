package jsonl

import (
	"bytes"
	"encoding/json"
)

// Object is a JSON object with its keys in the order of the line. It is for
// reading bodies, where a line is looked at once; scanning uses a Cursor.
type Object []Field

// Field is one key and its value.
type Field struct {
	Key   []byte
	Value Value
}

// ParseObject reads a text that is one JSON object and nothing besides; ErrNoObject is of
// a text that is another JSON value.
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

// ObjectFields reads an object; another value has none.
func ObjectFields(v Value) Object {
	c := NewCursor(v.Raw)
	return AppendFields(nil, &c)
}

// AppendFields appends the fields of the next value of c, which is consumed.
func AppendFields(o Object, c *Cursor) Object {
	for ok := c.EnterObject(); ok; ok = c.More() {
		f := Field{Key: c.Key()}
		f.Value = c.Value()
		o = append(o, f)
	}
	return o
}

// ArrayElements reads an array; another value has none.
func ArrayElements(v Value) (out []Value) {
	c := NewCursor(v.Raw)
	for ok := c.EnterArray(); ok; ok = c.More() {
		out = append(out, c.Value())
	}
	return out
}

// Get is a key's value; a repeated key counts the last time.
func (o Object) Get(key string) Value {
	for i := len(o) - 1; i >= 0; i-- {
		if string(o[i].Key) == key {
			return o[i].Value
		}
	}
	return Value{}
}

// Keys lists the keys, each once.
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

// Text is a key's string, whole; "" when it holds none.
func (o Object) Text(key string) string { return o.Get(key).Text() }

// IsTrue reports whether a key holds true.
func (o Object) IsTrue(key string) bool { return o.Get(key).Kind() == 't' }

// Count is a key's number as a count; what cannot be one is 0.
func (o Object) Count(key string) int64 {
	n, _ := o.Get(key).Number()
	if !(n > 0) || n > 1<<53 {
		return 0
	}
	return int64(n)
}

// CloneRaw is a value as recorded, its bytes made UTF-8; nil when there is none.
func (v Value) CloneRaw() json.RawMessage {
	if len(v.Raw) == 0 {
		return nil
	}
	return bytes.ToValidUTF8(bytes.Clone(v.Raw), []byte("\uFFFD"))
}
