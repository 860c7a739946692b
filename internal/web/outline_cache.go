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

// outlineCache keeps outlines computed before, so that the windows of one view, its
// hits, and the difference to its next revision are looked up and not computed, and
// so that the next one shares what did not change.
type outlineCache struct {
	cached   *lru.Cache[outlineKey, []outlineRevision]
	inFlight singleflight.Group
}

// outlineKey names a view as the URL says it, not by what it resolves to: a view that
// follows the leaf has the same name after the leaf moved, and that is how its older
// outlines are found.
type outlineKey struct {
	session string
	view    string
}

// outlineRevision is the outline of a view at a revision of the session.
type outlineRevision struct {
	rev     store.Revision
	outline *session.Outline
}

const (
	// maxOutlineRevisions is how many outlines of a view are kept: a page asks for what
	// changed since one of the last.
	maxOutlineRevisions = 4
	// outlineCost is charged for an outline besides its rows, so that empty ones do
	// not pile up.
	outlineCost = 100
)

func newOutlineCache(rows int) *outlineCache {
	if rows <= 0 {
		rows = 180_000
	}
	return &outlineCache{cached: lru.New[outlineKey, []outlineRevision](rows)}
}

// cachedOutline returns the outline of a view at a revision.
func (o *outlineCache) cachedOutline(key outlineKey, rev store.Revision) (*session.Outline, bool) {
	all, _ := o.cached.Get(key)
	for _, r := range all {
		if r.rev == rev {
			return r.outline, true
		}
	}
	return nil, false
}

// outlineAt returns an outline. Whoever asks has the tree locked for reading, and those
// who ask for the same one at the same time wait for the first: it has all locks
// that it needs.
func (o *outlineCache) outlineAt(key outlineKey, rev store.Revision, t *session.Tree, v session.View) *session.Outline {
	if out, ok := o.cachedOutline(key, rev); ok {
		return out
	}
	out, _, _ := o.inFlight.Do(fmt.Sprintf("%s %v %s", key.session, rev, key.view), func() (any, error) {
		if out, ok := o.cachedOutline(key, rev); ok { // made since
			return out, nil
		}
		out := t.UpdateOutline(o.newestOutline(key, rev), v)
		o.addOutline(key, outlineRevision{rev, out})
		return out, nil
	})
	return out.(*session.Outline)
}

// newestOutline returns the last outline of a view in the epoch of rev, nil for none.
func (o *outlineCache) newestOutline(key outlineKey, rev store.Revision) *session.Outline {
	if all, ok := o.cached.Get(key); ok && all[0].rev.Epoch == rev.Epoch {
		return all[0].outline
	}
	return nil
}

// addOutline adds an outline to those of its view and charges for the rows that these hold.
func (o *outlineCache) addOutline(key outlineKey, r outlineRevision) {
	old, _ := o.cached.Get(key)
	all := append([]outlineRevision{r}, old[:min(len(old), maxOutlineRevisions-1)]...)
	cost := 0
	for i, r := range all {
		cost += r.outline.Rows.Cap() + outlineCost
		if i > 0 {
			cost -= r.outline.Rows.SharedPrefixLen(&all[i-1].outline.Rows)
		}
	}
	o.cached.Add(key, all, cost)
}

// withScene shows fn a session as p wants it. fn runs with the tree locked for
// reading: it builds models and does nothing that may block.
func (s *Server) withScene(ctx context.Context, sess view.SessionView, p view.Params, fn func(view.Scene) error) error {
	found, err := s.searches.searchSession(ctx, sess.Session, p.Query)
	if err != nil {
		return err
	}
	sess.ReadTree(func(t *session.Tree, rev store.Revision) {
		var v session.View
		if v, err = view.ResolveView(t, p); err != nil {
			return
		}
		v.MatchesEntry = found.matchFunc(t, rev, p.Query)
		err = fn(view.Scene{
			Key:      sess.Key(),
			Rev:      rev,
			Tree:     t,
			Outline:  s.sceneOutline(outlineKey{sess.Key(), p.Encode()}, rev, t, v, found),
			Params:   view.PinPath(t, p, v),
			View:     v,
			Live:     sess.ShowsLive(s.now()),
			Audience: sess.Audience,
		})
	})
	return err
}

// sceneOutline returns the outline of a view. One whose hits are of another revision
// is right but for them, and good only once.
func (s *Server) sceneOutline(key outlineKey, rev store.Revision, t *session.Tree, v session.View, found *searchResult) *session.Outline {
	if found != nil && found.rev != rev {
		return t.Outline(v)
	}
	return s.outlines.outlineAt(key, rev, t, v)
}
