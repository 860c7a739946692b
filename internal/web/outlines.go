package web

import (
	"context"
	"fmt"

	"golang.org/x/sync/singleflight"

	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
	"sessiontree/internal/web/lru"
	"sessiontree/internal/web/view"
)

// outlines keeps outlines computed before, so that the windows of one view, its
// hits, and the difference to its next revision are looked up and not computed.
type outlines struct {
	kept *lru.Cache[outlineKey, *session.Outline]
	runs singleflight.Group
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
	return &outlines{kept: lru.New[outlineKey, *session.Outline](rows)}
}

// outlineCost is charged for an outline besides its rows, so that empty ones do
// not pile up.
const outlineCost = 100

// of answers an outline. Whoever asks has the tree locked for reading, and those
// who ask for the same one at the same time wait for the first: it has all locks
// that it needs.
func (o *outlines) of(key outlineKey, t *session.Tree, v session.View) *session.Outline {
	if out, ok := o.kept.Get(key); ok {
		return out
	}
	out, _, _ := o.runs.Do(fmt.Sprintf("%s %v %s", key.session, key.rev, key.view), func() (any, error) {
		if out, ok := o.kept.Get(key); ok { // made since
			return out, nil
		}
		out := t.Outline(v)
		o.kept.Add(key, out, len(out.Rows)+outlineCost)
		return out, nil
	})
	return out.(*session.Outline)
}

// look shows fn a session as p wants it. fn runs with the tree locked for
// reading: it builds models and does nothing that may block.
func (s *Server) look(ctx context.Context, sess view.Shown, p view.Params, fn func(view.Scene) error) error {
	found, err := s.hits.of(ctx, sess.Session, p.Query)
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
			Outline: s.outline(outlineKey{sess.Key(), rev, p.Encode()}, t, v, found),
			Params:  view.Pin(t, p, v),
			View:    v,
			Live:    sess.Growing(s.now()),
			Stand:   sess.Stand,
		})
	})
	return err
}

// outline answers the outline of a view. One whose hits are of another revision
// is right but for them, and good only once.
func (s *Server) outline(key outlineKey, t *session.Tree, v session.View, found *hitList) *session.Outline {
	if found != nil && found.rev != key.rev {
		return t.Outline(v)
	}
	return s.outlines.of(key, t, v)
}
