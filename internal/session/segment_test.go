package session_test

import (
	"testing"

	"pgregory.net/rapid"

	"sessiontree/internal/session"
)

// Every entry is in one segment, and every path is whole segments up to the last one.
func TestLinearSegments(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		gen := sound
		if rapid.Bool().Draw(rt, "odd") {
			gen = odd
		}
		tree := session.BuildTree(session.Header{}, gen(rt), nil)
		all := tree.LinearSegments()
		in := map[session.Pos]int{}
		for i, s := range all {
			size := 0
			for p := s.Last; ; p = tree.Parent(p) {
				if _, twice := in[p]; twice {
					rt.Fatalf("entry %d stands in two stretches", p)
				}
				if in[p] = i; tree.NewestLeaf(p) != s.Tip {
					rt.Fatalf("the path goes from %d on to %d, not %d", p, tree.NewestLeaf(p), s.Tip)
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

// With everything open there is a row for everything that any view opens.
func TestOutline_OpenAll(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		tree := session.BuildTree(session.Header{}, sound(rt), nil)
		v := drawView(rt, tree)
		v.Layout, v.Query, v.Root = session.LayoutSpine, "", ""
		some := tree.Outline(v)
		v.OpenAll = true
		all := tree.Outline(v)
		type name struct {
			kind session.RowKind
			pos  session.Pos
			call int16
		}
		at := 0
		for _, r := range some.Rows.All() {
			for at < all.Rows.Len() && (name{all.Rows.At(at).Kind, all.Rows.At(at).Pos, all.Rows.At(at).Call}) != (name{r.Kind, r.Pos, r.Call}) {
				at++
			}
			if at == all.Rows.Len() {
				rt.Fatalf("row of %d is not among all rows, or not in this order", r.Pos)
			}
			if a := all.Rows.At(at); a.PosInRun != r.PosInRun || all.RunSize(a) != some.RunSize(r) || a.Lane != r.Lane || a.Leaf != r.Leaf || a.Title != r.Title || a.LeafOnly != r.LeafOnly {
				rt.Fatalf("%+v is %+v with everything open", r, a)
			}
		}
	})
}
