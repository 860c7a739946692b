package claude

import (
	"fmt"
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

// TestAnchorAgentsAllocations checks that anchoring costs nothing without agents, whatever the
// number of lines.
func TestAnchorAgentsAllocations(t *testing.T) {
	cost := func(n int) float64 {
		in := make([]*node, n)
		for i := range in {
			in[i] = &node{id: idAt(i), session: "s", calls: []string{fmt.Sprint("t", i)}, results: []string{fmt.Sprint("t", i-1)}}
		}
		return testing.AllocsPerRun(3, func() { anchorAgents(in, &agentLinks{}) })
	}
	if small, large := cost(100), cost(10_000); large > small {
		t.Errorf("%v allocations for 10,000 lines without agents, %v for 100", large, small)
	}
}

// TestChildrenOf checks that the lists of children share one array, and that appending to one
// leaves the others unchanged.
func TestChildrenOf(t *testing.T) {
	kids := childrenOf([]int32{noNode, 0, 0, 1, noNode, 0})
	kids[0] = append(kids[0], 6)
	want := [][]int32{{1, 2, 5, 6}, {3}, {}, {}, {}, {}}
	if fmt.Sprint(kids) != fmt.Sprint(want) {
		t.Errorf("children %v, want %v", kids, want)
	}
	parent := make([]int32, 10_000)
	for i := range parent {
		parent[i] = int32(i) - 1
	}
	if n := testing.AllocsPerRun(3, func() { childrenOf(parent) }); n > 3 {
		t.Errorf("%v allocations for 10,000 nodes", n)
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
