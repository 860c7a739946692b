package outline_test

import (
	"testing"

	"sessiontree/internal/session"
	"sessiontree/internal/session/outline"
	"sessiontree/internal/session/sessiontest"
)

func TestDeepChain(t *testing.T) {
	t.Parallel()
	tree := session.BuildTree(session.Header{}, sessiontest.Chain(100_000, 0), nil)
	for _, layout := range []outline.Layout{outline.LayoutSpine, outline.LayoutOutline} {
		o := outline.Build(tree, outline.View{Leaf: tree.Leaf(), Entry: session.NoPos, Layout: layout})
		if o.Rows.Len() != tree.Len() || o.Rows.At(o.Rows.Len()-1).Lane != 0 {
			t.Errorf("%v: %d rows, the last in lane %d; want %d rows in lane 0", layout, o.Rows.Len(), o.Rows.At(o.Rows.Len()-1).Lane, tree.Len())
		}
	}
	if n := len(tree.Context(tree.Leaf()).Items); n != tree.Len() {
		t.Errorf("context of %d messages, want %d", n, tree.Len())
	}
}

// Nested branches, half as deep as the session is long.
func TestDeepComb(t *testing.T) {
	t.Parallel()
	const n = 60_000
	entries := sessiontest.Chain(n, 0)
	for i := 2; i < n; i++ { // every entry is a sibling of the one before
		entries[i].Parent = entries[(i-2)/2*2+i%2].ID
		if i%2 == 1 {
			entries[i].Parent = entries[i-3].ID
		} else {
			entries[i].Parent = entries[i-2].ID
		}
	}
	tree := session.BuildTree(session.Header{}, entries, nil)
	for _, layout := range []outline.Layout{outline.LayoutSpine, outline.LayoutOutline} {
		o := outline.Build(tree, outline.View{Leaf: 0, Entry: session.NoPos, Layout: layout, DefaultOpen: true})
		if o.FindRow(session.Pos(n-1)) < 0 {
			t.Errorf("%v: the deepest entry has no row", layout)
		}
	}
}

func benchOutline(b *testing.B, n int, v outline.View) {
	tree := session.BuildTree(session.Header{}, sessiontest.Chain(n, 100), nil)
	v.Leaf, v.Entry = tree.Leaf(), session.NoPos
	b.ReportAllocs()
	for b.Loop() {
		outline.Build(tree, v)
	}
}

func BenchmarkSpine50k(b *testing.B) { benchOutline(b, 50_000, outline.View{}) }
func BenchmarkOutline50k(b *testing.B) {
	benchOutline(b, 50_000, outline.View{Layout: outline.LayoutOutline})
}
func BenchmarkSpine100k(b *testing.B) { benchOutline(b, 100_000, outline.View{}) }
func BenchmarkSearch50k(b *testing.B) { benchOutline(b, 50_000, outline.View{Query: "words next"}) }
