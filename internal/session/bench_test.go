package session_test

import (
	"fmt"
	"testing"

	"sessiontree/internal/session"
)

// chain returns n entries in a row; every fork-th entry also has a branch of one
// exchange.
func chain(n, fork int) []session.Entry {
	kinds := []session.Kind{session.KindUser, session.KindAssistant, session.KindToolResult, session.KindAssistant}
	entries := make([]session.Entry, 0, n)
	last := ""
	for i := range n {
		e := session.Entry{ID: fmt.Sprintf("%08x", i), Parent: last, Kind: kinds[i%len(kinds)], Role: "any", Preview: "some words about what to do next",
			Flags: session.FlagText, Time: int64(i) * 1000}
		if last != "" {
			e.Flags |= session.FlagHasParent
		}
		if e.Kind == session.KindToolResult {
			e.OwnDetails().Call = e.ID
		}
		e.Span.Line = int32(i + 2)
		entries = append(entries, e)
		if fork == 0 || i%fork != fork-1 {
			last = e.ID
		}
	}
	return entries
}

func TestDeepChain(t *testing.T) {
	tree := session.BuildTree(session.Header{}, chain(100_000, 0), nil)
	for _, layout := range []session.Layout{session.LayoutSpine, session.LayoutOutline} {
		o := tree.Outline(session.View{Leaf: tree.Leaf(), Entry: session.NoPos, Layout: layout})
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
	const n = 60_000
	entries := chain(n, 0)
	for i := 2; i < n; i++ { // every entry is a sibling of the one before
		entries[i].Parent = entries[(i-2)/2*2+i%2].ID
		if i%2 == 1 {
			entries[i].Parent = entries[i-3].ID
		} else {
			entries[i].Parent = entries[i-2].ID
		}
	}
	tree := session.BuildTree(session.Header{}, entries, nil)
	for _, layout := range []session.Layout{session.LayoutSpine, session.LayoutOutline} {
		o := tree.Outline(session.View{Leaf: 0, Entry: session.NoPos, Layout: layout, DefaultOpen: true})
		if o.FindRow(session.Pos(n-1)) < 0 {
			t.Errorf("%v: the deepest entry has no row", layout)
		}
	}
}

func BenchmarkBuild100k(b *testing.B) {
	entries := chain(100_000, 500)
	for b.Loop() {
		session.BuildTree(session.Header{}, entries, nil)
	}
}

func benchOutline(b *testing.B, n int, v session.View) {
	tree := session.BuildTree(session.Header{}, chain(n, 100), nil)
	v.Leaf, v.Entry = tree.Leaf(), session.NoPos
	b.ReportAllocs()
	for b.Loop() {
		tree.Outline(v)
	}
}

func BenchmarkSpine50k(b *testing.B) { benchOutline(b, 50_000, session.View{}) }
func BenchmarkOutline50k(b *testing.B) {
	benchOutline(b, 50_000, session.View{Layout: session.LayoutOutline})
}
func BenchmarkSpine100k(b *testing.B) { benchOutline(b, 100_000, session.View{}) }
func BenchmarkSearch50k(b *testing.B) { benchOutline(b, 50_000, session.View{Query: "words next"}) }

// BenchmarkAppend appends one line and updates the outline.
func BenchmarkAppend(b *testing.B) {
	for _, n := range []int{1_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			tree := session.BuildTree(session.Header{}, chain(n, 0), nil)
			last := tree.At(tree.Leaf()).ID
			i := 0
			for b.Loop() {
				e := session.Entry{ID: fmt.Sprint("x", i), Parent: last, Kind: session.KindUser, Flags: session.FlagHasParent, Time: int64(n+i) * 1000}
				e.Span.Line = int32(n + i + 10)
				tree.AppendEntries(session.Header{}, []session.Entry{e}, nil)
				last, i = e.ID, i+1
			}
		})
	}
}
