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
// hits, and the difference to its next revision are looked up and not computed, and
// so that the next one shares what did not change.
type outlines struct {
	kept *lru.Cache[outlineKey, []revision]
	runs singleflight.Group
}

// outlineKey names a view as the URL says it, not by what it resolves to: a view that
// follows the leaf has the same name after the leaf moved, and that is how its older
// outlines are found.
type outlineKey struct {
	session string
	view    string
}

// revision is the outline of a view at a revision of the session.
type revision struct {
	rev     store.Rev
	outline *session.Outline
}

const (
	// keptRevisions is how many outlines of a view are kept: a page asks for what
	// changed since one of the last.
	keptRevisions = 4
	// outlineCost is charged for an outline besides its rows, so that empty ones do
	// not pile up.
	outlineCost = 100
)

func newOutlines(rows int) *outlines {
	if rows <= 0 {
		rows = 180_000
	}
	return &outlines{kept: lru.New[outlineKey, []revision](rows)}
}

// get returns the outline of a view at a revision.
func (o *outlines) get(key outlineKey, rev store.Rev) (*session.Outline, bool) {
	all, _ := o.kept.Get(key)
	for _, r := range all {
		if r.rev == rev {
			return r.outline, true
		}
	}
	return nil, false
}

// of returns an outline. Whoever asks has the tree locked for reading, and those
// who ask for the same one at the same time wait for the first: it has all locks
// that it needs.
func (o *outlines) of(key outlineKey, rev store.Rev, t *session.Tree, v session.View) *session.Outline {
	if out, ok := o.get(key, rev); ok {
		return out
	}
	out, _, _ := o.runs.Do(fmt.Sprintf("%s %v %s", key.session, rev, key.view), func() (any, error) {
		if out, ok := o.get(key, rev); ok { // made since
			return out, nil
		}
		out := t.OutlineAfter(o.newest(key, rev), v)
		o.keep(key, revision{rev, out})
		return out, nil
	})
	return out.(*session.Outline)
}

// newest returns the last outline of a view in the epoch of rev, nil for none.
func (o *outlines) newest(key outlineKey, rev store.Rev) *session.Outline {
	if all, ok := o.kept.Get(key); ok && all[0].rev.Epoch == rev.Epoch {
		return all[0].outline
	}
	return nil
}

// keep adds an outline to those of its view and charges for the rows that these hold.
func (o *outlines) keep(key outlineKey, r revision) {
	old, _ := o.kept.Get(key)
	all := append([]revision{r}, old[:min(len(old), keptRevisions-1)]...)
	cost := 0
	for i, r := range all {
		cost += r.outline.Rows.Cap() + outlineCost
		if i > 0 {
			cost -= r.outline.Rows.Shared(&all[i-1].outline.Rows)
		}
	}
	o.kept.Add(key, all, cost)
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
			Outline: s.outline(outlineKey{sess.Key(), p.Encode()}, rev, t, v, found),
			Params:  view.Pin(t, p, v),
			View:    v,
			Live:    sess.Growing(s.now()),
			Stand:   sess.Stand,
		})
	})
	return err
}

// outline returns the outline of a view. One whose hits are of another revision
// is right but for them, and good only once.
func (s *Server) outline(key outlineKey, rev store.Rev, t *session.Tree, v session.View, found *hitList) *session.Outline {
	if found != nil && found.rev != rev {
		return t.Outline(v)
	}
	return s.outlines.of(key, rev, t, v)
}
