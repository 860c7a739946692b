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

// hitLists keeps which entries hold the words of a query, for each query the list
// of the newest revision it was asked of.
type hitLists struct {
	kept *lru.Cache[hitKey, *hitList]
	runs singleflight.Group
}

type hitKey struct{ session, query string }

// hitList is the entries that match, of one revision.
type hitList struct {
	rev store.Rev
	in  []session.Pos // in file order
	set map[session.Pos]struct{}
}

// hitListsKept is in entries that match; a few queries on big sessions.
const hitListsKept = 200_000

// searchTime bounds one search; a reader who waits longer has typed on.
const searchTime = 20 * time.Second

func newHitLists() *hitLists { return &hitLists{kept: lru.New[hitKey, *hitList](hitListsKept)} }

// of searches a session; nil without a query. Rows, path and facts of one view ask
// for the same list at the same time: the first of them searches for all.
func (h *hitLists) of(ctx context.Context, sess *store.Session, query string) (*hitList, error) {
	if query == "" {
		return nil, nil
	}
	key := hitKey{sess.Key(), query}
	for {
		now := revisionOf(sess)
		if l, ok := h.kept.Get(key); ok && l.rev == now {
			return l, nil
		}
		l, err, _ := h.runs.Do(fmt.Sprintf("%s %v %s", key.session, now, key.query), func() (any, error) {
			return h.search(ctx, sess, key, now)
		})
		switch {
		case errors.Is(err, context.Canceled) && ctx.Err() == nil:
			continue // whoever searched for us left
		case err != nil:
			return nil, err
		}
		return l.(*hitList), nil
	}
}

// search makes the list of a revision out of an older one where there is one:
// then only what was added is searched.
func (h *hitLists) search(ctx context.Context, sess *store.Session, key hitKey, now store.Rev) (*hitList, error) {
	ctx, cancel := context.WithTimeout(ctx, searchTime)
	defer cancel()
	l := &hitList{rev: now, set: map[session.Pos]struct{}{}}
	from := session.Pos(0)
	if old, ok := h.kept.Get(key); ok && old.rev.Epoch == now.Epoch {
		from = settled(sess, old.rev)
		l.in = slices.DeleteFunc(slices.Clone(old.in), func(p session.Pos) bool { return p >= from })
	}
	more, err := sess.SearchFrom(ctx, key.query, from)
	if err != nil {
		return nil, err
	}
	l.in = slices.Clip(append(l.in, more...))
	for _, p := range l.in {
		l.set[p] = struct{}{}
	}
	h.kept.Add(key, l, len(l.in)+outlineCost)
	return l, nil
}

// settled answers the position up to which what was found at a revision still
// holds. A label is found at the entry that bears it, however old that is.
func settled(sess *store.Session, rev store.Rev) session.Pos {
	from, same := sess.Since(rev)
	if !same {
		return 0
	}
	sess.Read(func(t *session.Tree, now store.Rev) {
		if now.Epoch != rev.Epoch || touchesOthers(t, from) {
			from = 0
		}
	})
	return from
}

// match decides for entries of a revision. The session may have changed since the
// search; then each entry's own words decide until the next request.
func (l *hitList) match(t *session.Tree, rev store.Rev, query string) func(session.Pos) bool {
	switch {
	case l == nil:
		return nil
	case l.rev != rev:
		return func(p session.Pos) bool { return t.Match(p, query) }
	}
	return func(p session.Pos) bool {
		_, ok := l.set[p]
		return ok
	}
}
