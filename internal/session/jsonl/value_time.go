package jsonl

import "time"

// ParseTime parses a string in RFC 3339 format, with any number of fractional digits, and returns
// milliseconds since 1970.
func (v Value) ParseTime() (ms int64, ok bool) {
	t, err := time.Parse(time.RFC3339Nano, string(v.Bytes()))
	return t.UnixMilli(), err == nil
}
