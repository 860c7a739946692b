package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"golang.org/x/sync/singleflight"

	"sessiontree/internal/session"
	"sessiontree/internal/session/follow"
	"sessiontree/internal/session/store"
	"sessiontree/internal/web/lru"
	"sessiontree/internal/web/view"
)

// maxListedHits limits the hits in a response. Total counts only these, so that the user
// can step through all of them.
const maxListedHits = 100_000

type searchJSON struct {
	Rev   string    `json:"rev"`
	Total int       `json:"total"`
	Hits  []hitJSON `json:"hits"`
}

// hitJSON is an entry that matches, and its row or that of the closed branch that contains
// it.
type hitJSON struct {
	Entry string `json:"entry"`
	Row   int    `json:"row"`
}

// serveSearch lists the entries of a session that contain every word of q and pass the
// filter.
func (h *sessionHandlers) serveSearch(w http.ResponseWriter, r *http.Request) error {
	sess, p, err := h.parseSessionView(r)
	if err != nil {
		return err
	}
	var m searchJSON
	err = h.withScene(r.Context(), sess, p, func(sc view.Scene) error {
		hits := listHits(sc)
		m = searchJSON{Rev: sc.Rev, Total: len(hits), Hits: hits}
		return nil
	})
	if err != nil {
		return err
	}
	if h.checkNotModified(w, r, cacheRevalidate, "search", sess.Key(), m.Rev, r.URL.RawQuery) {
		return nil
	}
	w.Header().Set("Content-Type", "application/json")
	return json.NewEncoder(w).Encode(m)
}

// listHits returns the hits of the outline in the order of its rows.
func listHits(sc view.Scene) []hitJSON {
	found := sc.Outline.Found
	hits := make([]hitJSON, min(len(found), maxListedHits))
	for i := range hits {
		hits[i] = hitJSON{sc.Tree.At(found[i].Pos).ID, int(found[i].Row)}
	}
	return hits
}

// searchCache holds for each query the entries that match it, at the latest revision that
// was searched.
type searchCache struct {
	results  *lru.Cache[searchKey, *searchResult]
	inFlight singleflight.Group
}

type searchKey struct{ session, query string }

// searchResult is the entries that match a query at a revision.
type searchResult struct {
	rev       store.Revision
	positions []session.Pos // in file order
	set       map[session.Pos]struct{}
}

// maxCachedHits limits the entries in the cache: enough for a few queries on large
// sessions.
const maxCachedHits = 200_000

// searchTimeout limits one search. By then most users have changed the query.
const searchTimeout = 20 * time.Second

func newSearchCache() *searchCache {
	return &searchCache{results: lru.New[searchKey, *searchResult](maxCachedHits)}
}

// searchSession returns the entries that match a query, or nil without a query. The
// requests for rows, path and facts of one view share a single search.
func (h *searchCache) searchSession(ctx context.Context, sess *store.Session, query string) (*searchResult, error) {
	if query == "" {
		return nil, nil
	}
	key := searchKey{sess.Key(), query}
	for {
		now := sess.Revision()
		if l, ok := h.results.Get(key); ok && l.rev == now {
			return l, nil
		}
		l, err, _ := h.inFlight.Do(fmt.Sprintf("%s %v %s", key.session, now, key.query), func() (any, error) {
			return h.updateResult(ctx, sess, key, now)
		})
		switch {
		case errors.Is(err, context.Canceled) && ctx.Err() == nil:
			continue // the request that ran the search was canceled
		case err != nil:
			return nil, err
		}
		return l.(*searchResult), nil
	}
}

// updateResult searches a revision. If an older result is cached, it searches only the
// entries added since.
func (h *searchCache) updateResult(ctx context.Context, sess *store.Session, key searchKey, now store.Revision) (*searchResult, error) {
	ctx, cancel := context.WithTimeout(ctx, searchTimeout)
	defer cancel()
	l := &searchResult{rev: now, set: map[session.Pos]struct{}{}}
	from := session.Pos(0)
	if old, ok := h.results.Get(key); ok && old.rev.Epoch == now.Epoch {
		from = firstStalePos(sess, old.rev)
		l.positions = slices.DeleteFunc(slices.Clone(old.positions), func(p session.Pos) bool { return p >= from })
	}
	more, err := sess.SearchFrom(ctx, key.query, from)
	if err != nil {
		return nil, err
	}
	l.positions = slices.Clip(append(l.positions, more...))
	for _, p := range l.positions {
		l.set[p] = struct{}{}
	}
	h.results.Add(key, l, len(l.positions)+outlineCost)
	return l, nil
}

// firstStalePos returns the position up to which a result of a revision is still valid. It
// is 0 if later entries change older ones, as a label does.
func firstStalePos(sess *store.Session, rev store.Revision) session.Pos {
	from, same := sess.FirstEntrySince(rev)
	if !same {
		return 0
	}
	sess.ReadTree(func(t *session.Tree, now store.Revision) {
		if now.Epoch != rev.Epoch || follow.ChangesOlderEntries(t, from) {
			from = 0
		}
	})
	return from
}

// matchFunc returns the predicate for entries of a revision. If the session has changed
// since the search, it matches each entry's text instead.
func (l *searchResult) matchFunc(t *session.Tree, rev store.Revision, query string) func(session.Pos) bool {
	switch {
	case l == nil:
		return nil
	case l.rev != rev:
		words := session.ParseQuery(query)
		return func(p session.Pos) bool { return t.MatchesQuery(p, words) }
	}
	return func(p session.Pos) bool {
		_, ok := l.set[p]
		return ok
	}
}
