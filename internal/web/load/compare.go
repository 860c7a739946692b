package load

import (
	"context"
	"errors"
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/filediff"
	"sessiontree/internal/session/fileedits"
	"sessiontree/internal/session/store"
	"sessiontree/internal/web/view"
	"sessiontree/internal/web/view/comparison"
	"sessiontree/web/components"
)

// CompareModel returns the page that compares branches. about is what all pages have in common.
func (l *Loader) CompareModel(ctx context.Context, sess SessionView, about components.Page, q comparison.Params, now time.Time) (m components.CompareModel, err error) {
	for try := 1; ; try++ {
		m, err = l.tryCompareModel(ctx, sess, about, q, now)
		if !errors.Is(err, session.ErrStale) || try == maxStaleTries {
			return m, err
		}
	}
}

// tryCompareModel returns ErrStale if the file was replaced meanwhile.
func (l *Loader) tryCompareModel(ctx context.Context, sess SessionView, about components.Page, q comparison.Params, now time.Time) (m components.CompareModel, err error) {
	var plan *comparison.Plan
	var calls []filediff.Call
	var epoch uint64
	withScene := func(fn func(view.Scene, store.Revision) error) {
		sess.ReadTree(func(t *session.Tree, rev store.Revision) {
			var s view.Scene
			if s, err = sess.NewScene(l.Config, t, rev, view.Params{}, now); err == nil {
				err = fn(s, rev)
			}
		})
	}
	withScene(func(s view.Scene, rev store.Revision) (err error) {
		if plan, err = comparison.NewPlan(s, q); err == nil {
			calls, epoch = plan.EditCalls(s.Tree), rev.Epoch
		}
		return err
	})
	if err != nil {
		return m, err
	}
	bodies, err := fileedits.ReadBodies(ctx, sess.Session, plan.Positions())
	if err != nil {
		return m, err
	}
	edits, err := fileedits.Read(ctx, sess.Session, epoch, calls, filediff.Edits{})
	if err != nil {
		return m, err
	}
	withScene(func(s view.Scene, rev store.Revision) error {
		if rev.Epoch != epoch {
			return session.ErrStale
		}
		m = plan.Model(s, about, l.Renderer, bodies, edits)
		return nil
	})
	return m, err
}
