package pi

import (
	"bytes"
	"encoding/json"

	"sessiontree/internal/session/jsonl"
)

// object is a JSON object by key; a repeated key counts the last time.
type object map[string]jsonl.Value

// fields reads an object; another value has none.
func fields(v jsonl.Value) object {
	o := object{}
	c := jsonl.Open(v.Raw)
	for ok := c.Enter(); ok; ok = c.More() {
		key := string(c.Key())
		o[key] = c.Value()
	}
	return o
}

// keys lists an object's keys in the order of the line, each once.
func keys(v jsonl.Value) (out []string) {
	seen := map[string]bool{}
	c := jsonl.Open(v.Raw)
	for ok := c.Enter(); ok; ok = c.More() {
		if key := string(c.Key()); !seen[key] {
			seen[key] = true
			out = append(out, key)
		}
		c.Skip()
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
func (o object) str(key string) string {
	return string(jsonl.AppendText(nil, o[key], jsonl.Unlimited))
}

// count is a key's number as a count.
func (o object) count(key string) int64 {
	n, _ := o[key].Number()
	return whole(n)
}

// isTrue reports whether a key holds true.
func (o object) isTrue(key string) bool { return o[key].Kind() == 't' }

// raw copies a value as recorded, its bytes made UTF-8; nil when there is none.
func raw(v jsonl.Value) json.RawMessage {
	if len(v.Raw) == 0 {
		return nil
	}
	return bytes.ToValidUTF8(bytes.Clone(v.Raw), []byte("\uFFFD"))
}
