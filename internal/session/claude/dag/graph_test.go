package dag

import (
	"fmt"
	"testing"
)

// TestAnchorAgentsAllocations checks that anchoring costs nothing without agents, whatever the
// number of lines.
func TestAnchorAgentsAllocations(t *testing.T) {
	cost := func(n int) float64 {
		in := make([]*Node, n)
		for i := range in {
			in[i] = &Node{ID: fmt.Sprint("n", i), Session: "s", Calls: []string{fmt.Sprint("t", i)}, Results: []string{fmt.Sprint("t", i-1)}}
		}
		return testing.AllocsPerRun(3, func() { AnchorAgents(in, &AgentStarts{}) })
	}
	if small, large := cost(100), cost(10_000); large > small {
		t.Errorf("%v allocations for 10,000 lines without agents, %v for 100", large, small)
	}
}

// TestChildrenOf checks that the lists of children share one array, and that appending to one
// leaves the others unchanged.
func TestChildrenOf(t *testing.T) {
	kids := childrenOf([]int32{NoNode, 0, 0, 1, NoNode, 0})
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
