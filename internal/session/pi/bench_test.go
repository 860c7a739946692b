package pi

import (
	"bytes"
	"testing"

	"sessiontree/internal/session/jsonl"
	"sessiontree/internal/testgen/workload"
)

// benchText returns a session of the form that the benchmarks of the whole program use.
func benchText(b *testing.B) (text []byte, lines [][]byte) {
	b.Helper()
	var buf bytes.Buffer
	if _, err := workload.WriteSession(&buf, workload.Spec{Seed: 1, Entries: 5000, Branches: 50}); err != nil {
		b.Fatal(err)
	}
	for l := range jsonl.Lines(buf.Bytes()) {
		lines = append(lines, l.Data)
	}
	return buf.Bytes(), lines
}

func BenchmarkScan(b *testing.B) {
	text, lines := benchText(b)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		for _, l := range lines {
			if _, err := Format.ScanLine(l, "/home/dev"); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(len(lines))*float64(b.N)/b.Elapsed().Seconds(), "lines/s")
}

func BenchmarkBody(b *testing.B) {
	text, lines := benchText(b)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		for _, l := range lines {
			if _, err := Format.DecodeBody(l); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func BenchmarkSniff(b *testing.B) {
	text, _ := benchText(b)
	for b.Loop() {
		if !Format.Sniff(text[:64<<10]) {
			b.Fatal("not a pi session")
		}
	}
}
