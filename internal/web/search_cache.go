package web

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"golang.org/x/sync/singleflight"

	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
	"sessiontree/internal/web/lru"
)

// searchCache keeps which entries hold the words of a query, for each query the list
// of the newest revision it was asked of.
type searchCache struct {
	results  *lru.Cache[searchKey, *searchResult]
	inFlight singleflight.Group
}

type searchKey struct{ session, query string }

// searchResult is the entries that match, of one revision.
type searchResult struct {
	rev       store.Revision
	positions []session.Pos // in file order
	set       map[session.Pos]struct{}
}

// maxCachedHits is in entries that match; a few queries on big sessions.
const maxCachedHits = 200_000

// searchTimeout bounds one search; a reader who waits longer has typed on.
const searchTimeout = 20 * time.Second

func newSearchCache() *searchCache {
	return &searchCache{results: lru.New[searchKey, *searchResult](maxCachedHits)}
}

// searchSession searches a session; nil without a query. Rows, path and facts of one view ask
// for the same list at the same time: the first of them searches for all.
func (h *searchCache) searchSession(ctx context.Context, sess *store.Session, query string) (*searchResult, error) {
	if query == "" {
		return nil, nil
	}
	key := searchKey{sess.Key(), query}
	for {
		now := sessionRevision(sess)
		if l, ok := h.results.Get(key); ok && l.rev == now {
			return l, nil
		}
		l, err, _ := h.inFlight.Do(fmt.Sprintf("%s %v %s", key.session, now, key.query), func() (any, error) {
			return h.updateResult(ctx, sess, key, now)
		})
		switch {
		case errors.Is(err, context.Canceled) && ctx.Err() == nil:
			continue // whoever searched for us left
		case err != nil:
			return nil, err
		}
		return l.(*searchResult), nil
	}
}

// updateResult makes the list of a revision out of an older one where there is one:
// then only what was added is searched.
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

// firstStalePos answers the position up to which what was found at a revision still
// holds. A label is found at the entry that bears it, however old that is.
func firstStalePos(sess *store.Session, rev store.Revision) session.Pos {
	from, same := sess.FirstEntrySince(rev)
	if !same {
		return 0
	}
	sess.ReadTree(func(t *session.Tree, now store.Revision) {
		if now.Epoch != rev.Epoch || changesOlderEntries(t, from) {
			from = 0
		}
	})
	return from
}

// matchFunc decides for entries of a revision. The session may have changed since the
// search; then each entry's own words decide until the next request.
func (l *searchResult) matchFunc(t *session.Tree, rev store.Revision, query string) func(session.Pos) bool {
	switch {
	case l == nil:
		return nil
	case l.rev != rev:
		return func(p session.Pos) bool { return t.MatchesQuery(p, query) }
	}
	return func(p session.Pos) bool {
		_, ok := l.set[p]
		return ok
	}
}
