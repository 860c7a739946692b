package session_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"sessiontree/internal/session"
	"sessiontree/internal/session/outline"
	"sessiontree/internal/session/sessiontest"
)

func build(entries []session.Entry) *session.Tree {
	return session.BuildTree(session.Header{}, slices.Clone(entries), nil)
}

func TestProperty_everyEntryOnce(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		entries := sessiontest.DrawDamagedEntries(rt)
		tree := build(entries)
		ids := map[string]bool{}
		for _, e := range entries {
			ids[e.ID] = true
		}
		if tree.Len() != len(ids) {
			rt.Fatalf("%d entries for %d ids", tree.Len(), len(ids))
		}
		seen := make([]int, tree.Len())
		todo := slices.Clone(tree.Roots())
		for len(todo) > 0 {
			p := todo[0]
			todo = append(todo[1:], tree.Children(p)...)
			seen[p]++
		}
		for p, n := range seen {
			if n != 1 {
				rt.Fatalf("%s stands %d times in the tree\n%s", tree.At(session.Pos(p)).ID, n, outline.Dump(tree))
			}
		}
	})
}

func TestProperty_appendInPieces(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		entries := sessiontest.DrawDamagedEntries(rt)
		whole, pieces := build(entries), build(nil)
		for rest := entries; len(rest) > 0; {
			n := rapid.IntRange(1, len(rest)).Draw(rt, "piece")
			pieces.AppendEntries(session.Header{}, slices.Clone(rest[:n]), nil)
			rest = rest[n:]
			if rapid.Bool().Draw(rt, "look") {
				outline.Build(pieces, outline.View{Leaf: pieces.Leaf(), Entry: session.NoPos})
			}
		}
		if diff := cmp.Diff(outline.Dump(whole), outline.Dump(pieces)); diff != "" {
			rt.Fatalf("in pieces (-at once +in pieces):\n%s", diff)
		}
		if diff := cmp.Diff(describeSubtrees(whole), describeSubtrees(pieces)); diff != "" {
			rt.Fatalf("in pieces (-at once +in pieces):\n%s", diff)
		}
	})
}

// describeSubtrees returns the statistics of all subtrees.
func describeSubtrees(t *session.Tree) []string {
	all := []string{fmt.Sprint(t.Labels(), t.Leaf(), t.Roots())}
	for p := range session.Pos(t.Len()) {
		all = append(all, fmt.Sprint(t.At(p).ID, t.Parent(p), t.Children(p), t.Subtrees().SiblingBranches(p), t.Subtrees().Size(p), t.Subtrees().NewestTime(p), t.Subtrees().NewestLeaf(p), t.RowText(p)))
	}
	return all
}
