package spend_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"sessiontree/internal/session"
	"sessiontree/internal/session/prices"
	"sessiontree/internal/session/sessiontest"
	"sessiontree/internal/session/spend"
)

// Damaged trees, with missing, late and circular parents, have branches too, also while they
// grow.
func TestFindBranches_damaged(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		entries := sessiontest.DrawDamagedEntries(rt)
		n := rapid.IntRange(0, len(entries)).Draw(rt, "first")
		tree := session.BuildTree(session.Header{}, slices.Clone(entries[:n]), nil)
		spend.ReadSheet(tree, prices.Default(), spend.Ownership{})
		tree.AppendEntries(session.Header{}, slices.Clone(entries[n:]), nil)
		spend.ReadSheet(tree, prices.Default(), spend.Ownership{})
		branches, path := spend.FindBranches(tree, tree.Leaf()), tree.MarkPath(tree.Leaf())
		for p := range session.Pos(tree.Len()) {
			head := branches.Head(p)
			if path.Has(p) && head != session.NoPos || head != session.NoPos && branches.Head(head) != head {
				rt.Fatalf("entry %d is on a branch that begins with %d", p, head)
			}
		}
	})
}
