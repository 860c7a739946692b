package dag

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

// TestProperty_everyEntryHasOnePlace checks random graphs with cycles and unknown parents: every
// entry is in exactly one thread or folded, threads are attached to existing threads, and nothing
// is its own ancestor.
func TestProperty_everyEntryHasOnePlace(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(rt, "n")
		in := make([]*Node, n)
		for i := range in {
			in[i] = &Node{
				ID:      fmt.Sprintf("n%d", i),
				Session: fmt.Sprintf("s%d", rapid.IntRange(0, 2).Draw(rt, "session")),
				Stamp:   fmt.Sprintf("%03d", rapid.IntRange(0, 30).Draw(rt, "time")),
				Class:   Class(rapid.IntRange(0, 3).Draw(rt, "class")),
			}
			if p := rapid.IntRange(-2, n).Draw(rt, "parent"); p >= 0 {
				in[i].Parent = fmt.Sprintf("n%d", p)
			}
			in[i].Boundary = in[i].Class == ClassSystem && rapid.Bool().Draw(rt, "boundary")
			if in[i].Boundary {
				in[i].Logical = fmt.Sprintf("n%d", rapid.IntRange(0, n).Draw(rt, "logical"))
			}
		}
		a := NewThreads(NewGraph(in))
		placed := make([]int, n)
		names := map[string]bool{}
		for _, l := range a.List {
			if len(l.Nodes) == 0 || names[l.Name] {
				rt.Fatalf("line %q is empty or there twice", l.Name)
			}
			names[l.Name] = true
			for _, p := range l.Nodes {
				placed[p]++
			}
		}
		for p := range placed {
			folded := 0
			if a.FoldedBy[p] != 0 {
				folded = 1
			}
			if placed[p]+folded != 1 {
				rt.Fatalf("n%d stands on %d lines and is folded %d times", p, placed[p], folded)
			}
		}
		for _, l := range a.List {
			if l.Parent != "" && !names[l.Parent] {
				rt.Fatalf("%q hangs on %q, which is no line", l.Name, l.Parent)
			}
		}
		up := a.Parents
		for p := range up {
			for at, steps := up[p], 0; at != NoNode; at, steps = up[at], steps+1 {
				if steps > n {
					rt.Fatalf("n%d stands below itself", p)
				}
			}
		}
	})
}

// BenchmarkArrange arranges graphs that could cost more than their size: chains, folded chains, and
// a cycle.
func BenchmarkArrange(b *testing.B) {
	const n = 100_000
	chain := make([]*Node, n)
	for i := range chain {
		chain[i] = &Node{ID: fmt.Sprint("n", i), Session: "s", Stamp: fmt.Sprintf("%06d", i), Class: Class(i % 2)}
		if i > 0 {
			chain[i].Parent = fmt.Sprint("n", i-1)
		}
	}
	folded := append([]*Node{}, chain...)
	folded = append(folded, &Node{ID: "again", Parent: "n0", Session: "s", Stamp: folded[1].Stamp, Class: ClassUser})
	cycle := append([]*Node{}, chain...)
	bitten := *chain[0]
	bitten.Parent = fmt.Sprint("n", n-1)
	cycle[0] = &bitten
	for name, in := range map[string][]*Node{"chain": chain, "folded": folded, "cycle": cycle} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				NewThreads(NewGraph(in))
			}
		})
	}
}
