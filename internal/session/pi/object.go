package pi

import (
	"bytes"
	"encoding/json"

	"sessiontree/internal/session/jsonl"
)

// object is a JSON object in the order of the line.
type object []field

type field struct {
	key   []byte
	value jsonl.Value
}

// fields reads an object; another value has none.
func fields(v jsonl.Value) (o object) {
	c := jsonl.Open(v.Raw)
	for ok := c.Enter(); ok; ok = c.More() {
		f := field{key: c.Key()}
		f.value = c.Value()
		o = append(o, f)
	}
	return o
}

// get is a key's value; a repeated key counts the last time.
func (o object) get(key string) jsonl.Value {
	for i := len(o) - 1; i >= 0; i-- {
		if string(o[i].key) == key {
			return o[i].value
		}
	}
	return jsonl.Value{}
}

// keys lists the keys, each once.
func (o object) keys() (out []string) {
	seen := map[string]bool{}
	for _, f := range o {
		if !seen[string(f.key)] {
			seen[string(f.key)] = true
			out = append(out, string(f.key))
		}
	}
	return out
}

// elements reads an array; another value has none.
func elements(v jsonl.Value) (out []jsonl.Value) {
	c := jsonl.Open(v.Raw)
	for ok := c.Elements(); ok; ok = c.More() {
		out = append(out, c.Value())
	}
	return out
}

// str is a key's string, whole; "" when it holds none.
func (o object) str(key string) string { return o.get(key).Text() }

// count is a key's number as a count.
func (o object) count(key string) int64 {
	n, _ := o.get(key).Number()
	return whole(n)
}

// isTrue reports whether a key holds true.
func (o object) isTrue(key string) bool { return o.get(key).Kind() == 't' }

// raw copies a value as recorded, its bytes made UTF-8; nil when there is none.
func raw(v jsonl.Value) json.RawMessage {
	if len(v.Raw) == 0 {
		return nil
	}
	return bytes.ToValidUTF8(bytes.Clone(v.Raw), []byte("\uFFFD"))
}
