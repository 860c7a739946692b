package web

import (
	"context"
	"slices"
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
	"sessiontree/internal/web/view"
)

// outlines keeps outlines computed before, so that the windows of one view, its
// hits, and the difference to its next revision are looked up and not computed.
type outlines struct {
	kept *lru[outlineKey, *session.Outline]
}

// outlineKey names an outline by the view as the URL says it, not by what it
// resolves to: a view that follows the leaf has the same name after the leaf
// moved, and that is how its older outline is found.
type outlineKey struct {
	session string
	rev     store.Rev
	view    string
}

func newOutlines(rows int) *outlines {
	if rows <= 0 {
		rows = 180_000
	}
	return &outlines{newLRU[outlineKey, *session.Outline](rows)}
}

// outlineCost is charged for an outline besides its rows, so that empty ones do
// not pile up.
const outlineCost = 100

func (o *outlines) of(key outlineKey, t *session.Tree, v session.View) *session.Outline {
	if out, ok := o.kept.get(key); ok {
		return out
	}
	out := t.Outline(v)
	o.kept.add(key, out, len(out.Rows)+outlineCost)
	return out
}

// look shows fn a session as p wants it. fn runs with the tree locked for
// reading: it builds models and does nothing that may block.
func (s *Server) look(ctx context.Context, sess *store.Session, p view.Params, fn func(view.Scene) error) error {
	found, err := s.hits.of(ctx, sess, p.Query)
	if err != nil {
		return err
	}
	sess.Read(func(t *session.Tree, rev store.Rev) {
		var v session.View
		if v, err = view.Resolve(t, p); err != nil {
			return
		}
		v.Hits = found.match(t, rev, p.Query)
		err = fn(view.Scene{
			Key:     sess.Key(),
			Rev:     rev,
			Tree:    t,
			Outline: s.outlines.of(outlineKey{sess.Key(), rev, p.Encode()}, t, v),
			Params:  view.Pin(t, p, v),
			View:    v,
			Live:    s.isLive(sess),
		})
	})
	return err
}

func (s *Server) isLive(sess *store.Session) bool { return view.Live(sess.Modified(), s.now()) }

// hitLists keeps which entries hold the words of a query.
type hitLists struct {
	kept *lru[hitKey, *hitList]
}

type hitKey struct {
	session string
	rev     store.Rev
	query   string
}

// hitList is the entries that match, of one revision.
type hitList struct {
	rev store.Rev
	in  []session.Pos
	set map[session.Pos]struct{}
}

// hitListsKept is in entries that match; a few queries on big sessions.
const hitListsKept = 200_000

// searchTime bounds one search; a reader who waits longer has typed on.
const searchTime = 20 * time.Second

func newHitLists() *hitLists { return &hitLists{newLRU[hitKey, *hitList](hitListsKept)} }

// of searches a session; nil without a query.
func (h *hitLists) of(ctx context.Context, sess *store.Session, query string) (*hitList, error) {
	if query == "" {
		return nil, nil
	}
	key := hitKey{sess.Key(), revisionOf(sess), query}
	if l, ok := h.kept.get(key); ok {
		return l, nil
	}
	ctx, cancel := context.WithTimeout(ctx, searchTime)
	defer cancel()
	in, err := sess.Search(ctx, query)
	if err != nil {
		return nil, err
	}
	l := &hitList{rev: key.rev, in: slices.Clip(in), set: make(map[session.Pos]struct{}, len(in))}
	for _, p := range in {
		l.set[p] = struct{}{}
	}
	h.kept.add(key, l, len(in)+outlineCost)
	return l, nil
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
