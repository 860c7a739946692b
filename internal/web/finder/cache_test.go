package finder

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"

	"sessiontree/internal/session"
)

// fourNeedles is a session of four entries that all contain the word.
func fourNeedles() []string {
	lines := []string{header}
	for i, id := range []string{"e0", "e1", "e2", "e3"} {
		lines = append(lines, prompt(id, "", i, strings.Repeat("- ", 300)+"needle"))
	}
	return lines
}

func (f *fixture) positions(c *Cache, query string) []session.Pos {
	f.t.Helper()
	l, err := c.FindEntries(f.t.Context(), f.sess, query)
	if err != nil {
		f.t.Fatal(err)
	}
	if len(l.set) != len(l.positions) {
		f.t.Errorf("%d entries in the set, %d in the list", len(l.set), len(l.positions))
	}
	return l.positions
}

// After an append only the new entries are searched. A label or a rewrite makes everything
// be searched again.
func TestCache_Extends(t *testing.T) {
	t.Parallel()
	f, c := open(t, fourNeedles()...), NewCache()
	if got := f.positions(c, "needle"); !slices.Equal(got, []session.Pos{0, 1, 2, 3}) {
		t.Fatalf("hits = %v, want all four", got)
	}
	// A wrong cached result shows whether the cache is used.
	lie := func() {
		c.results.Add(cacheKey{f.sess.Key(), "needle"}, &Result{Revision: f.sess.Revision(), positions: []session.Pos{2}}, 1)
	}
	lie()
	f.append(prompt("e4", "e3", 5, "hay"), prompt("e5", "e4", 6, strings.Repeat("- ", 300)+"needle"))
	if got := f.positions(c, "needle"); !slices.Equal(got, []session.Pos{2, 5}) {
		t.Errorf("hits after an append = %v, want the older list and 5", got)
	}
	lie()
	f.append(label("l", "e5", "e4", "needle"))
	if got := f.positions(c, "needle"); !slices.Equal(got, []session.Pos{0, 1, 2, 3, 4, 5}) {
		t.Errorf("hits after a label = %v, want all", got)
	}
	lie()
	f.write(header, prompt("e0", "", 1, "needle"))
	if got := f.positions(c, "needle"); !slices.Equal(got, []session.Pos{0}) {
		t.Errorf("hits after a rewrite = %v, want those of the new file", got)
	}
}

// A finished stream leaves its result in the cache. A query that is not valid has none.
func TestCache_RemembersStream(t *testing.T) {
	t.Parallel()
	f, c := open(t, branched()...), NewCache()
	f.search(c, Request{Text: "watcher"})
	if l, ok := c.results.Get(cacheKey{f.sess.Key(), "watcher"}); !ok || len(l.positions) != 5 {
		t.Errorf("cached: %+v, %t", l, ok)
	}
	if got := f.positions(c, "re:("); len(got) != 0 {
		t.Errorf("an invalid pattern matches %v", got)
	}
}

// Concurrent requests share one search. A canceled request does not affect the others.
func TestCache_SharesSearch(t *testing.T) {
	t.Parallel()
	f, c := open(t, fourNeedles()...), NewCache()
	gone, leave := context.WithCancel(t.Context())
	leave()
	var asking sync.WaitGroup
	for i := range 32 {
		asking.Go(func() {
			ctx := t.Context()
			if i%2 == 0 {
				ctx = gone
			}
			l, err := c.FindEntries(ctx, f.sess, "needle")
			if i%2 == 1 && (err != nil || len(l.positions) != 4) {
				t.Errorf("FindEntries = %v, %v; want four entries", l, err)
			}
		})
	}
	asking.Wait()
}
