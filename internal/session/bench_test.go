package session_test

import (
	"fmt"
	"testing"

	"sessiontree/internal/session"
	"sessiontree/internal/session/sessiontest"
)

func BenchmarkBuild100k(b *testing.B) {
	entries := sessiontest.Chain(100_000, 500)
	for b.Loop() {
		session.BuildTree(session.Header{}, entries, nil)
	}
}

// BenchmarkAppend appends one line and updates the outline.
func BenchmarkAppend(b *testing.B) {
	for _, n := range []int{1_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			tree := session.BuildTree(session.Header{}, sessiontest.Chain(n, 0), nil)
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
