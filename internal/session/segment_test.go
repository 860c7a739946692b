package session_test

import (
	"testing"

	"pgregory.net/rapid"

	"sessiontree/internal/session"
	"sessiontree/internal/session/sessiontest"
)

// Every entry is in one segment, and every path is whole segments up to the last one.
func TestLinearSegments(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		gen := sessiontest.DrawEntries
		if rapid.Bool().Draw(rt, "odd") {
			gen = sessiontest.DrawDamagedEntries
		}
		tree := session.BuildTree(session.Header{}, gen(rt), nil)
		all := session.LinearSegments(tree)
		in := map[session.Pos]int{}
		for i, s := range all {
			size := 0
			for p := s.Last; ; p = tree.Parent(p) {
				if _, twice := in[p]; twice {
					rt.Fatalf("entry %d stands in two stretches", p)
				}
				if in[p] = i; tree.Subtrees().NewestLeaf(p) != s.Tip {
					rt.Fatalf("the path goes from %d on to %d, not %d", p, tree.Subtrees().NewestLeaf(p), s.Tip)
				}
				if size++; p == s.First {
					break
				}
			}
			up := session.NoPos
			if s.ParentIndex >= 0 {
				up = all[s.ParentIndex].Last
			}
			if size != s.Size || s.ParentIndex >= i || tree.Parent(s.First) != up {
				rt.Fatalf("%+v has %d entries and hangs on %d", s, size, tree.Parent(s.First))
			}
		}
		if len(in) != tree.Len() {
			rt.Fatalf("%d of %d entries", len(in), tree.Len())
		}
	})
}
