package web

import (
	"context"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"sessiontree/internal/session"
	"sessiontree/internal/session/outline"
	"sessiontree/internal/session/store"
	"sessiontree/internal/web/load"
	"sessiontree/internal/web/view"
)

// newSearchSession opens a session of four entries that all contain the word.
func (s *site) newSearchSession() (*store.Session, string, *transcript) {
	s.t.Helper()
	tr := newTranscript("one")
	for range 4 {
		tr.user(strings.Repeat("- ", 300) + "needle")
	}
	path := s.write("one.jsonl", tr)
	sess, err := s.library.Open(s.t.Context(), path)
	if err != nil {
		s.t.Fatal(err)
	}
	return sess, path, tr
}

// Concurrent requests for an outline share one computation.
func TestOutlineCache_SharesComputation(t *testing.T) {
	s := newSite(t)
	sess, _, _ := s.newSearchSession()
	var tree *session.Tree
	sess.ReadTree(func(t *session.Tree, _ store.Revision) { tree = t })

	synctest.Test(t, func(t *testing.T) {
		outs := newOutlineCache(0)
		made, begun := make(chan struct{}), 0
		v := outline.View{Leaf: tree.Leaf(), Query: "needle", MatchesEntry: func(session.Pos) bool {
			begun++ // a data race if two run at once
			<-made
			return true
		}}
		key := outlineKey{"k", "q=needle"}
		got := make([]*outline.Outline, 8)
		var asking sync.WaitGroup
		for i := range got {
			asking.Go(func() { got[i] = outs.outlineAt(key, rev(1, 1), tree, v) })
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

// changingContext calls a function when a search begins.
type changingContext struct {
	context.Context
	once sync.Once
	do   func()
}

func (m *changingContext) Value(key any) any {
	m.once.Do(m.do)
	return m.Context.Value(key)
}

// If a session grows during a search, rows are matched by their own text. That outline is
// not cached, so the next request gets all hits.
func TestOutlineCache_SkipsStaleHits(t *testing.T) {
	s := newSite(t)
	sess, path, tr := s.newSearchSession()
	p := view.Params{Query: "needle"}
	look := func(ctx context.Context) (found int, rev store.Revision) {
		t.Helper()
		err := s.withScene(ctx, load.SessionView{Session: sess}, p, func(sc view.Scene) error {
			found = len(sc.Outline.Found)
			var err error
			rev, err = store.ParseRevision(sc.Rev)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return found, rev
	}
	was := sess.Revision()
	_, during := look(&changingContext{Context: t.Context(), do: func() {
		tr.user("hay")
		s.append(path, tr)
		if _, err := sess.Refresh(t.Context()); err != nil {
			t.Error(err)
		}
	}})
	if during == was {
		t.Fatal("the session did not grow during the search")
	}
	if found, rev := look(t.Context()); found != 4 || rev != during {
		t.Errorf("%d found at %v, want 4 at %v", found, rev, during)
	}
}
