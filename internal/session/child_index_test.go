package session_test

import (
	"fmt"
	"testing"

	"sessiontree/internal/session"
)

// timeless returns one entry with children whose time is unknown.
func timeless(kids int) []session.Entry {
	entries := []session.Entry{{ID: "top", Kind: session.KindUser, Time: session.NoTime}}
	for i := range kids {
		entries = append(entries, session.Entry{ID: fmt.Sprint("k", i), Parent: "top", Flags: session.FlagHasParent, Kind: session.KindUser, Time: session.NoTime})
	}
	return entries
}

func TestChildrenWithoutTimes(t *testing.T) {
	t.Parallel()
	tree := session.BuildTree(session.Header{}, timeless(1000), nil)
	for i, p := range tree.Children(0) {
		if int(p) != i+1 {
			t.Fatalf("child %d is entry %d, want file order", i, p)
		}
	}
}

// BenchmarkTimelessFan: ten times the children must cost about ten times as much.
func BenchmarkTimelessFan(b *testing.B) {
	for _, kids := range []int{10_000, 100_000} {
		entries := timeless(kids)
		b.Run(fmt.Sprint("kids=", kids), func(b *testing.B) {
			for b.Loop() {
				session.BuildTree(session.Header{}, entries, nil)
			}
		})
	}
}
