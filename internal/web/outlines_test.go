package web

import (
	"sync"
	"testing"
	"testing/synctest"

	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
)

// Those who ask for one outline while it is made get that one.
func TestOutlinesAreShared(t *testing.T) {
	s := newSite(t)
	sess, _, _ := s.searched()
	var tree *session.Tree
	sess.Read(func(t *session.Tree, _ store.Rev) { tree = t })

	synctest.Test(t, func(t *testing.T) {
		outs := newOutlines(0)
		made, begun := make(chan struct{}), 0
		v := session.View{Leaf: tree.Leaf(), Query: "needle", Hits: func(session.Pos) bool {
			begun++ // by two at once: a race
			<-made
			return true
		}}
		key := outlineKey{"k", rev(1, 1), "q=needle"}
		got := make([]*session.Outline, 8)
		var asking sync.WaitGroup
		for i := range got {
			asking.Go(func() { got[i] = outs.of(key, tree, v) })
		}
		synctest.Wait()
		if begun != 1 {
			t.Errorf("%d at work, want 1", begun)
		}
		close(made)
		asking.Wait()
		for i := range got {
			if got[i] == nil || got[i] != got[0] {
				t.Errorf("outline %d is another one than the first", i)
			}
		}
	})
}
