// Package finder searches within one session: it remembers which entries match a query, and
// streams the hits while they are found.
package finder

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"golang.org/x/sync/singleflight"

	"sessiontree/internal/session"
	"sessiontree/internal/session/follow"
	"sessiontree/internal/session/query"
	"sessiontree/internal/session/searchall"
	"sessiontree/internal/session/store"
	"sessiontree/internal/web/lru"
)

// Cache holds for each query the entries that match it, at the latest revision that was
// searched.
type Cache struct {
	results  *lru.Cache[cacheKey, *Result]
	inFlight singleflight.Group
}

type cacheKey struct{ session, query string }

// Result is the entries that match a query at a revision.
type Result struct {
	Revision  store.Revision
	words     []string      // to highlight
	positions []session.Pos // in file order
	set       map[session.Pos]struct{}
}

const (
	// maxCachedHits limits the entries in the cache: enough for a few queries on large
	// sessions.
	maxCachedHits = 200_000
	// resultCost is the cost of a result in addition to its entries, so that empty results
	// count too.
	resultCost = 100
	// searchTimeout limits one search. By then most users have changed the query.
	searchTimeout = 20 * time.Second
)

// NewCache returns an empty cache.
func NewCache() *Cache { return &Cache{results: lru.New[cacheKey, *Result](maxCachedHits)} }

// Clear removes all results.
func (c *Cache) Clear() { c.results.Clear() }

// FindEntries returns the entries that match a query, or nil without a query. Concurrent
// calls share a single search. Nothing matches a query that is not valid.
func (c *Cache) FindEntries(ctx context.Context, sess *store.Session, text string) (*Result, error) {
	if text == "" {
		return nil, nil
	}
	key := cacheKey{sess.Key(), text}
	for {
		now := sess.Revision()
		if l, ok := c.results.Get(key); ok && l.Revision == now {
			return l, nil
		}
		l, err, _ := c.inFlight.Do(fmt.Sprintf("%s %v %s", key.session, now, key.query), func() (any, error) {
			return c.updateResult(ctx, sess, key, now)
		})
		switch {
		case errors.Is(err, context.Canceled) && ctx.Err() == nil:
			continue // the request that ran the search was canceled
		case err != nil:
			return nil, err
		}
		return l.(*Result), nil
	}
}

// updateResult searches a revision. If an older result is cached, it searches only the
// entries added since.
func (c *Cache) updateResult(ctx context.Context, sess *store.Session, key cacheKey, now store.Revision) (*Result, error) {
	ctx, cancel := context.WithTimeout(ctx, searchTimeout)
	defer cancel()
	q, err := query.Parse(key.query, time.Now())
	if err != nil {
		return newResult(now, &query.Query{}, nil), nil
	}
	var known []session.Pos
	from := session.Pos(0)
	if old, ok := c.results.Get(key); ok && old.Revision.Epoch == now.Epoch {
		from = firstStalePos(sess, old.Revision)
		known = slices.DeleteFunc(slices.Clone(old.positions), func(p session.Pos) bool { return p >= from })
	}
	err = searchall.FindInSession(ctx, sess, q, from, func(hits []searchall.SessionHit) error {
		known = appendPositions(known, hits)
		return nil
	})
	if err != nil {
		return nil, err
	}
	l := newResult(now, q, known)
	c.addResult(key, l)
	return l, nil
}

func appendPositions(ps []session.Pos, hits []searchall.SessionHit) []session.Pos {
	for i := range hits {
		ps = append(ps, hits[i].Pos)
	}
	return ps
}

func newResult(rev store.Revision, q *query.Query, ps []session.Pos) *Result {
	l := &Result{Revision: rev, words: q.Words(), positions: slices.Clip(ps), set: make(map[session.Pos]struct{}, len(ps))}
	for _, p := range ps {
		l.set[p] = struct{}{}
	}
	return l
}

func (c *Cache) addResult(key cacheKey, l *Result) {
	c.results.Add(key, l, len(l.positions)+resultCost)
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

// MatchFunc returns the predicate for entries of a revision. If the session has changed
// since the search, it matches each entry's text instead.
func (l *Result) MatchFunc(t *session.Tree, rev store.Revision) func(session.Pos) bool {
	switch {
	case l == nil:
		return nil
	case l.Revision != rev:
		return func(p session.Pos) bool { return len(l.words) > 0 && t.MatchesQuery(p, l.words) }
	}
	return func(p session.Pos) bool {
		_, ok := l.set[p]
		return ok
	}
}

// Words returns the words to highlight.
func (l *Result) Words() []string {
	if l == nil {
		return nil
	}
	return l.words
}
