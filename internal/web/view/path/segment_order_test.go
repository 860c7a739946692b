package path

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"sessiontree/internal/session"
	"sessiontree/internal/web/view"
)

// randomTree attaches each entry to one of the last few, or rarely to none.
func randomTree(r *rand.Rand, n int) *session.Tree {
	var entries []session.Entry
	for i := range n {
		e := session.Entry{ID: fmt.Sprint(i), Kind: session.KindUser, Flags: session.FlagText, Time: int64(i)}
		if i > 0 && r.IntN(50) > 0 {
			up := max(0, i-1-r.IntN(4))
			if r.IntN(10) == 0 {
				up = r.IntN(i)
			}
			e.Parent, e.Flags = fmt.Sprint(up), e.Flags|session.FlagHasParent
		}
		if r.IntN(5) == 0 {
			e.Kind, e.OwnDetails().Added = session.KindToolResult, 1
		}
		entries = append(entries, e)
	}
	return session.BuildTree(session.Header{}, entries, nil)
}

// The order contains each segment once, the path to the leaf first. Moving from path to
// path visits each entry once, and each path equals the tree's.
func TestSegmentOrder(t *testing.T) {
	for seed := range uint64(200) {
		tree := randomTree(rand.New(rand.NewPCG(seed, 0)), 1+int(seed))
		all := session.LinearSegments(tree)
		w := NewSegmentPager(view.Scene{Tree: tree}, all)
		order := w.order
		if sorted := slices.Sorted(slices.Values(order)); len(slices.Compact(sorted)) != len(all) || len(order) != len(all) {
			t.Fatalf("seed %d: %d stretches read in the order %v", seed, len(all), order)
		}
		if all[order[0]].Tip != tree.Leaf() {
			t.Errorf("seed %d: the first path ends at %d, not at the leaf %d", seed, all[order[0]].Tip, tree.Leaf())
		}
		walked, tip := 0, session.NoPos
		for _, i := range order {
			if all[i].Tip == tip {
				continue
			}
			tip = all[i].Tip
			w.extendPath(tip, all[i].First, w.depth[i])
			walked += len(w.path) - w.depth[i]
			if want := tree.Path(tip); !slices.Equal(w.path, want) {
				t.Fatalf("seed %d: the path to %d is %v, want %v", seed, tip, w.path, want)
			}
			if got, want := w.lastFileEdits[len(w.path)-1], lastFileEdit(tree, w.path); got != want {
				t.Errorf("seed %d: the last edit of the path to %d is %d, want %d", seed, tip, got, want)
			}
		}
		if walked != tree.Len() {
			t.Errorf("seed %d: %d entries walked over in a tree of %d", seed, walked, tree.Len())
		}
	}
}
