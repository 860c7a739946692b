package jsonl

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// ParseISOTime accepts only what time.Parse accepts, with the same result, and everything in its form.
func TestParseISOTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		day := rapid.IntRange(-62135596800/86400, 253402300799/86400).Draw(t, "day") // of the years 1 to 9999
		ms := int64(day)*86400_000 + rapid.Int64Range(0, 86400_000-1).Draw(t, "time of day")
		text := []byte(time.UnixMilli(ms).UTC().Format("2006-01-02T15:04:05.000Z"))
		if got, ok := ParseISOTime(text); !ok || got != ms {
			t.Fatalf("%s is %d, %v, want %d", text, got, ok, ms)
		}
		for range rapid.IntRange(1, 3).Draw(t, "changes") {
			at := rapid.IntRange(0, len(text)-1).Draw(t, "at")
			text[at] = rapid.SampledFrom([]byte("0123456789-:.TZ z/")).Draw(t, "byte")
		}
		got, ok := ParseISOTime(text)
		want, err := time.Parse(time.RFC3339Nano, string(text))
		if ok && (err != nil || got != want.UnixMilli()) {
			t.Fatalf("%s is %d, want %v, %v", text, got, want, err)
		}
	})
}
