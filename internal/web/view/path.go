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

// staleTries is how often a page is read again when the file was replaced
// between looking at the tree and reading bodies.
const staleTries = 3

// Path is a page of the viewed path. Positions are copied out of the tree first;
// bodies are read without holding it.
func (b *Builder) Path(ctx context.Context, sess Shown, p Params, q PathQuery, now time.Time) (components.PathModel, error) {
	b = b.to(sess.Stand)
	var m components.PathModel
	take := func(s Scene) (*page, error) { return takePage(s, q) }
	err := b.withPage(ctx, sess, p, now, take, func(pg *page, bodies []session.Body) {
		m = b.pathModel(pg, bodies)
	})
	return m, err
}

// withPage takes a page and its bodies and hands them to fn.
func (b *Builder) withPage(ctx context.Context, sess Shown, p Params, now time.Time,
	take func(Scene) (*page, error), fn func(*page, []session.Body)) error {
	for try := 1; ; try++ {
		var pg *page
		var err error
		sess.Read(func(t *session.Tree, rev store.Rev) {
			var s Scene
			if s, err = sceneOf(sess, t, rev, p, now); err == nil {
				pg, err = take(s)
			}
		})
		if err != nil {
			return err
		}
		bodies, err := readBodies(ctx, sess.Session, pg)
		if errors.Is(err, session.ErrStale) && try < staleTries {
			continue
		}
		if err != nil {
			return err
		}
		fn(pg, bodies)
		return nil
	}
}

// sceneOf resolves parameters in a locked tree, without an outline.
func sceneOf(sess Shown, t *session.Tree, rev store.Rev, p Params, now time.Time) (Scene, error) {
	v, err := Resolve(t, p)
	live := sess.Growing(now)
	return Scene{Key: sess.Key(), Rev: rev, Tree: t, Params: Pin(t, p, v), View: v, Live: live, Stand: sess.Stand}, err
}

// readBodies reads the bodies of a page. An entry that cannot be read shows what
// the tree knows of it, and why that is all. ErrStale: positions are void.
func readBodies(ctx context.Context, sess *store.Session, pg *page) ([]session.Body, error) {
	ps := pg.positions()
	bodies, err := sess.Bodies(ctx, ps)
	if err != nil && !errors.Is(err, session.ErrStale) && ctx.Err() == nil {
		bodies, err = readSingly(ctx, sess, pg, ps)
	}
	if err != nil {
		return nil, err
	}
	same := false
	sess.Read(func(_ *session.Tree, rev store.Rev) { same = rev.Epoch == pg.epoch })
	if !same {
		return nil, session.ErrStale
	}
	pg.lost = lostBlobs(sess, bodies)
	return bodies, nil
}

// lostBlobs lists the images whose files are not there, so that no browser asks
// for them.
func lostBlobs(sess *store.Session, bodies []session.Body) map[string]bool {
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

func readSingly(ctx context.Context, sess *store.Session, pg *page, ps []session.Pos) ([]session.Body, error) {
	bodies := make([]session.Body, len(ps))
	for i, p := range ps {
		b, err := sess.Body(ctx, p)
		switch {
		case errors.Is(err, session.ErrStale) || ctx.Err() != nil:
			return nil, err
		case err != nil:
			b = remembered(&pg.entries[i].Entry, err)
		}
		bodies[i] = b
	}
	return bodies, nil
}

// remembered is the body of an entry whose line cannot be read any more.
func remembered(e *session.Entry, err error) session.Body {
	why := "This entry cannot be read from the file; this is what was kept of it."
	if errors.Is(err, fs.ErrNotExist) {
		why = "The file is gone; this is what was kept of the entry."
	}
	b := session.Body{Blocks: []session.Block{{Kind: session.BlockText, Text: e.Preview}}}
	for _, c := range e.Calls {
		b.Blocks = append(b.Blocks, session.Block{Kind: session.BlockToolCall, Name: c.Name, ID: c.ID})
	}
	b.Blocks = append(b.Blocks, session.Block{Kind: session.BlockError, Text: why})
	return b
}

func (b *Builder) pathModel(pg *page, bodies []session.Body) components.PathModel {
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
		Selected: pg.viewed,
	}
	// Links for reading on without script; script asks by First and Last.
	if e.prev != "" {
		m.More = pg.href(e.prev)
	}
	if e.next != "" {
		m.After = pg.href(e.next)
	}
	ib := newItemBuilder(b, pg, bodies, pg.stand.limits())
	m.Items, m.Anchor = ib.items()
	return m
}
