package jsonl

import "time"

// ParseTime reads a string as RFC 3339, with any number of digits behind the second, in
// milliseconds since 1970.
func (v Value) ParseTime() (ms int64, ok bool) {
	t, err := time.Parse(time.RFC3339Nano, string(v.Bytes()))
	return t.UnixMilli(), err == nil
}
