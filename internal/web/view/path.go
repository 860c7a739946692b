package view

import (
	"context"
	"errors"
	"io/fs"
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
	"sessiontree/web/components"
)

// maxStaleTries limits how often a page is read again when the file was replaced between
// reading the tree and reading bodies.
const maxStaleTries = 3

// PathModel returns a page of the viewed path. It copies the page out of the tree first and
// reads bodies without the lock.
func (b *Builder) PathModel(ctx context.Context, sess SessionView, p Params, q PathQuery, now time.Time) (components.PathModel, error) {
	b = b.forAudience(sess.Audience)
	var m components.PathModel
	take := func(s Scene) (*pathPage, error) { return copyPathPage(s, q) }
	err := b.withPathPage(ctx, sess, p, now, take, func(pg *pathPage, bodies []session.Body) {
		m = b.buildPathModel(pg, bodies)
	})
	return m, err
}

// withPathPage calls fn with a page and its bodies.
func (b *Builder) withPathPage(ctx context.Context, sess SessionView, p Params, now time.Time,
	take func(Scene) (*pathPage, error), fn func(*pathPage, []session.Body)) error {
	for try := 1; ; try++ {
		var pg *pathPage
		var err error
		sess.ReadTree(func(t *session.Tree, rev store.Revision) {
			var s Scene
			if s, err = resolveScene(sess, t, rev, p, now); err == nil {
				pg, err = take(s)
			}
		})
		if err != nil {
			return err
		}
		bodies, err := readPageBodies(ctx, sess.Session, pg)
		if errors.Is(err, session.ErrStale) && try < maxStaleTries {
			continue
		}
		if err != nil {
			return err
		}
		fn(pg, bodies)
		return nil
	}
}

// resolveScene returns the scene for parameters in a locked tree, without an outline.
func resolveScene(sess SessionView, t *session.Tree, rev store.Revision, p Params, now time.Time) (Scene, error) {
	v, err := ResolveView(t, p)
	live := sess.ShowsLive(now)
	return Scene{Key: sess.Key(), Rev: rev, Tree: t, Params: PinPath(t, p, v), View: v, Live: live, Audience: sess.Audience}, err
}

// readPageBodies reads the bodies of a page. For an entry that cannot be read it returns
// what the tree holds, and the reason. It returns ErrStale if the positions are no longer
// valid.
func readPageBodies(ctx context.Context, sess *store.Session, pg *pathPage) ([]session.Body, error) {
	ps := pg.entryPositions()
	bodies, err := sess.ReadBodies(ctx, ps)
	if err != nil && !errors.Is(err, session.ErrStale) && ctx.Err() == nil {
		bodies, err = readBodiesSingly(ctx, sess, pg, ps)
	}
	if err != nil {
		return nil, err
	}
	same := false
	sess.ReadTree(func(_ *session.Tree, rev store.Revision) { same = rev.Epoch == pg.epoch })
	if !same {
		return nil, session.ErrStale
	}
	pg.missingBlobs = findMissingBlobs(sess, bodies)
	return bodies, nil
}

// findMissingBlobs returns the images whose files do not exist, so that no browser requests
// them.
func findMissingBlobs(sess *store.Session, bodies []session.Body) map[string]bool {
	lost := map[string]bool{}
	for i := range bodies {
		for j := range bodies[i].Blocks {
			if name := bodies[i].Blocks[j].Blob; name != "" && !sess.HasBlob(name) {
				lost[name] = true
			}
		}
	}
	return lost
}

func readBodiesSingly(ctx context.Context, sess *store.Session, pg *pathPage, ps []session.Pos) ([]session.Body, error) {
	bodies := make([]session.Body, len(ps))
	for i, p := range ps {
		b, err := sess.ReadBody(ctx, p)
		switch {
		case errors.Is(err, session.ErrStale) || ctx.Err() != nil:
			return nil, err
		case err != nil:
			b = previewBody(&pg.entries[i].Entry, err)
		}
		bodies[i] = b
	}
	return bodies, nil
}

// previewBody returns the body of an entry whose line cannot be read any more.
func previewBody(e *session.Entry, err error) session.Body {
	why := "This entry cannot be read from the file; this is what the explorer still has."
	if errors.Is(err, fs.ErrNotExist) {
		why = "The file is gone; this is what the explorer still has."
	}
	b := session.Body{Blocks: []session.Block{{Kind: session.BlockText, Text: e.Preview}}}
	for _, c := range e.Calls() {
		b.Blocks = append(b.Blocks, session.Block{Kind: session.BlockToolCall, Name: c.Name, ID: c.ID})
	}
	b.Blocks = append(b.Blocks, session.Block{Kind: session.BlockError, Text: why})
	return b
}

func (b *Builder) buildPathModel(pg *pathPage, bodies []session.Body) components.PathModel {
	e := pg.path
	m := components.PathModel{
		Rev:      pg.rev,
		Total:    e.total,
		First:    e.first,
		Last:     e.last,
		AtEnd:    e.atEnd,
		AtLeaf:   pg.atLeaf,
		Skipped:  e.from,
		Left:     e.total - e.from - pg.shown,
		Selected: pg.viewedID,
	}
	// Links for browsers without script; the script uses First and Last.
	if e.prev != "" {
		m.More = pg.pathHref(e.prev)
	}
	if e.next != "" {
		m.After = pg.pathHref(e.next)
	}
	ib := newItemBuilder(b, pg, bodies, pg.audience.entryLimits())
	m.Items, m.Anchor = ib.buildItems()
	return m
}
