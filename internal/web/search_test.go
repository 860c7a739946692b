package web

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"

	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
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

func (s *site) searchHits(sess *store.Session, query string) []session.Pos {
	s.t.Helper()
	l, err := s.searches.searchSession(s.t.Context(), sess, query)
	if err != nil {
		s.t.Fatal(err)
	}
	if len(l.set) != len(l.positions) {
		s.t.Errorf("%d entries in the set, %d in the list", len(l.set), len(l.positions))
	}
	return l.positions
}

// After an append only the new entries are searched. A label or a rewrite makes everything
// be searched again.
func TestSearchCache_Extends(t *testing.T) {
	s := newSite(t)
	sess, path, tr := s.newSearchSession()
	if got := s.searchHits(sess, "needle"); !slices.Equal(got, []session.Pos{0, 1, 2, 3}) {
		t.Fatalf("hits = %v, want all four", got)
	}
	// A wrong cached result shows whether the cache is used.
	key := searchKey{sess.Key(), "needle"}
	lie := func() {
		s.searches.results.Add(key, &searchResult{rev: sess.Revision(), positions: []session.Pos{2}}, 1)
	}
	add := func() {
		s.append(path, tr)
		if _, err := sess.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	lie()
	tr.user("hay")
	tr.user(strings.Repeat("- ", 300) + "needle")
	add()
	if got := s.searchHits(sess, "needle"); !slices.Equal(got, []session.Pos{2, 5}) {
		t.Errorf("hits after an append = %v, want the older list and 5", got)
	}
	lie()
	tr.label("e5", "needle")
	add()
	if got := s.searchHits(sess, "needle"); !slices.Equal(got, []session.Pos{0, 1, 2, 3, 4, 5, 6}) {
		t.Errorf("hits after a label = %v, want all", got)
	}
	lie()
	again := newTranscript("one")
	again.user("needle")
	s.write("one.jsonl", again)
	if _, err := sess.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := s.searchHits(sess, "needle"); !slices.Equal(got, []session.Pos{0}) {
		t.Errorf("hits after a rewrite = %v, want those of the new file", got)
	}
}

// Concurrent requests share one search. A canceled request does not affect the others.
func TestSearchCache_SharesSearch(t *testing.T) {
	s := newSite(t)
	sess, _, _ := s.newSearchSession()
	gone, leave := context.WithCancel(t.Context())
	leave()
	var asking sync.WaitGroup
	for i := range 32 {
		asking.Go(func() {
			ctx := t.Context()
			if i%2 == 0 {
				ctx = gone
			}
			l, err := s.searches.searchSession(ctx, sess, "needle")
			if i%2 == 1 && (err != nil || len(l.positions) != 4) {
				t.Errorf("of = %v, %v; want four entries", l, err)
			}
		})
	}
	asking.Wait()
}
