package wave

import (
	"testing"

	"sessiontree/internal/session/jsonl"
)

// BenchmarkScan scans all lines of a recorded session.
func BenchmarkScan(b *testing.B) {
	text := read(&testing.T{}, "project/"+one)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		for l := range jsonl.Lines(text) {
			if _, err := scanLine(l.Data, "/home/dev"); err != nil {
				b.Fatal(err)
			}
		}
	}
}
