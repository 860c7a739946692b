package claude

import (
	"testing"

	"sessiontree/internal/session"
)

// TestScanAllocations checks that scanning a line allocates only what its entry keeps. Values that
// recur (session, directory, parent) are shared.
func TestScanAllocations(t *testing.T) {
	const lines = 500
	text := make([][]byte, lines)
	for i := range text {
		text[i] = []byte(lineAt(i, i-1))
	}
	l := line{lineMemory: new(lineMemory)}
	n := testing.AllocsPerRun(3, func() {
		for _, line := range text {
			if err := l.readLine(line); err != nil {
				t.Fatal(err)
			}
			l.makeRecord("")
		}
	})
	if each := n / lines; each > 8 {
		t.Errorf("%.1f allocations a line, want at most 8", each)
	}
}

// BenchmarkScan scans all lines of a session.
func BenchmarkScan(b *testing.B) {
	var text [][]byte
	size := 0
	for i := range 1000 {
		text = append(text, []byte(lineAt(i, i-1)))
		size += len(text[i])
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	var r session.Record
	for b.Loop() {
		for _, line := range text {
			r, _ = scanLine(line, "")
		}
	}
	_ = r
}
