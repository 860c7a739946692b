package web

import (
	"context"
	"fmt"

	"golang.org/x/sync/singleflight"

	"sessiontree/internal/session"
	"sessiontree/internal/session/outline"
	"sessiontree/internal/session/store"
	"sessiontree/internal/web/finder"
	"sessiontree/internal/web/load"
	"sessiontree/internal/web/lru"
	"sessiontree/internal/web/view"
)

// outlineCache caches outlines. They serve the windows and hits of a view and the
// difference to its next revision, and the next outline shares their unchanged rows.
type outlineCache struct {
	cached   *lru.Cache[outlineKey, []outlineRevision]
	inFlight singleflight.Group
}

// outlineKey identifies a view by its URL, not by what the URL resolves to. A view that
// follows the leaf keeps its key when the leaf moves, so its older outlines are found.
type outlineKey struct {
	session string
	view    string
}

// outlineRevision is the outline of a view at a revision of the session.
type outlineRevision struct {
	rev     store.Revision
	outline *outline.Outline
}

const (
	// maxOutlineRevisions limits the outlines of one view: pages request the changes since a
	// recent revision.
	maxOutlineRevisions = 4
	// outlineCost is the cost of an outline in addition to its rows, so that empty outlines
	// count too.
	outlineCost = 100
)

func newOutlineCache(rows int) *outlineCache {
	if rows <= 0 {
		rows = 180_000
	}
	return &outlineCache{cached: lru.New[outlineKey, []outlineRevision](rows)}
}

// cachedOutline returns the cached outline of a view at a revision.
func (o *outlineCache) cachedOutline(key outlineKey, rev store.Revision) (*outline.Outline, bool) {
	all, _ := o.cached.Get(key)
	for _, r := range all {
		if r.rev == rev {
			return r.outline, true
		}
	}
	return nil, false
}

// outlineAt returns the outline of a view at a revision, computing it once for concurrent
// callers. Callers hold the tree's read lock; so does the one that computes, and it needs
// no other lock.
func (o *outlineCache) outlineAt(key outlineKey, rev store.Revision, t *session.Tree, v outline.View) *outline.Outline {
	if out, ok := o.cachedOutline(key, rev); ok {
		return out
	}
	out, _, _ := o.inFlight.Do(fmt.Sprintf("%s %v %s", key.session, rev, key.view), func() (any, error) {
		if out, ok := o.cachedOutline(key, rev); ok { // computed meanwhile
			return out, nil
		}
		out := outline.Update(t, o.newestOutline(key, rev), v)
		o.addOutline(key, outlineRevision{rev, out})
		return out, nil
	})
	return out.(*outline.Outline)
}

// newestOutline returns the latest cached outline of a view in the epoch of rev, or nil.
func (o *outlineCache) newestOutline(key outlineKey, rev store.Revision) *outline.Outline {
	if all, ok := o.cached.Get(key); ok && all[0].rev.Epoch == rev.Epoch {
		return all[0].outline
	}
	return nil
}

// addOutline caches an outline of a view. Its cost counts shared rows once.
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

// withScene calls fn with the scene of a session for p. The tree is read-locked during the
// call, so fn must not block.
func (s *sessionSource) withScene(ctx context.Context, sess load.SessionView, p view.Params, fn func(view.Scene) error) error {
	found, err := s.searches.FindEntries(ctx, sess.Session, p.Query)
	if err != nil {
		return err
	}
	sess.ReadTree(func(t *session.Tree, rev store.Revision) {
		var sc view.Scene
		if sc, err = sess.NewScene(s.loader.Config, t, rev, p, s.now()); err != nil {
			return
		}
		sc.View.MatchesEntry = found.MatchFunc(t, rev)
		sc.Words = found.Words()
		sc.Outline = s.sceneOutline(outlineKey{sess.Key(), p.Encode()}, rev, t, sc.View, found)
		err = fn(sc)
	})
	return err
}

// withBareScene is withScene without an outline.
func (s *sessionSource) withBareScene(sess load.SessionView, p view.Params, fn func(view.Scene)) (err error) {
	sess.ReadTree(func(t *session.Tree, rev store.Revision) {
		var sc view.Scene
		if sc, err = sess.NewScene(s.loader.Config, t, rev, p, s.now()); err == nil {
			fn(sc)
		}
	})
	return err
}

// sceneOutline returns the outline of a view. If the hits belong to another revision, it
// computes an outline that is not cached.
func (s *sessionSource) sceneOutline(key outlineKey, rev store.Revision, t *session.Tree, v outline.View, found *finder.Result) *outline.Outline {
	if found != nil && found.Revision != rev {
		return outline.Build(t, v)
	}
	return s.outlines.outlineAt(key, rev, t, v)
}
