package claude

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
		in := make([]*node, n)
		for i := range in {
			in[i] = &node{
				id:      fmt.Sprintf("n%d", i),
				session: fmt.Sprintf("s%d", rapid.IntRange(0, 2).Draw(rt, "session")),
				stamp:   fmt.Sprintf("%03d", rapid.IntRange(0, 30).Draw(rt, "time")),
				class:   nodeClass(rapid.IntRange(0, 3).Draw(rt, "class")),
			}
			if p := rapid.IntRange(-2, n).Draw(rt, "parent"); p >= 0 {
				in[i].parent = fmt.Sprintf("n%d", p)
			}
			in[i].boundary = in[i].class == classSystem && rapid.Bool().Draw(rt, "boundary")
			if in[i].boundary {
				in[i].logical = fmt.Sprintf("n%d", rapid.IntRange(0, n).Draw(rt, "logical"))
			}
		}
		a := newThreader(newGraph(in))
		placed := make([]int, n)
		names := map[string]bool{}
		for _, l := range a.threads {
			if len(l.nodes) == 0 || names[l.name] {
				rt.Fatalf("line %q is empty or there twice", l.name)
			}
			names[l.name] = true
			for _, p := range l.nodes {
				placed[p]++
			}
		}
		for p := range placed {
			folded := 0
			if a.foldedBy[p] != 0 {
				folded = 1
			}
			if placed[p]+folded != 1 {
				rt.Fatalf("n%d stands on %d lines and is folded %d times", p, placed[p], folded)
			}
		}
		for _, l := range a.threads {
			if l.parent != "" && !names[l.parent] {
				rt.Fatalf("%q hangs on %q, which is no line", l.name, l.parent)
			}
		}
		up := a.parents
		for p := range up {
			for at, steps := up[p], 0; at != noNode; at, steps = up[at], steps+1 {
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
	chain := make([]*node, n)
	for i := range chain {
		chain[i] = &node{id: fmt.Sprint("n", i), session: "s", stamp: fmt.Sprintf("%06d", i), class: nodeClass(i % 2)}
		if i > 0 {
			chain[i].parent = fmt.Sprint("n", i-1)
		}
	}
	folded := append([]*node{}, chain...)
	folded = append(folded, &node{id: "again", parent: "n0", session: "s", stamp: folded[1].stamp, class: classUser})
	cycle := append([]*node{}, chain...)
	bitten := *chain[0]
	bitten.parent = fmt.Sprint("n", n-1)
	cycle[0] = &bitten
	for name, in := range map[string][]*node{"chain": chain, "folded": folded, "cycle": cycle} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				newThreader(newGraph(in))
			}
		})
	}
}
