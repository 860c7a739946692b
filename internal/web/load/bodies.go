package load

import (
	"context"
	"errors"

	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
	"sessiontree/internal/web/view"
)

// ReadPageBodies reads the bodies of a page and sets its MissingBlobs. For an entry that
// cannot be read it returns what the tree holds, and the reason. It returns ErrStale if the
// file was replaced.
func ReadPageBodies(ctx context.Context, sess *store.Session, pg *view.PathPage) ([]session.Body, error) {
	bodies, err := sess.ReadBodies(ctx, pg.Positions())
	if err != nil && !errors.Is(err, session.ErrStale) && ctx.Err() == nil {
		bodies, err = readBodiesSingly(ctx, sess, pg)
	}
	if err != nil {
		return nil, err
	}
	pg.MissingBlobs = findMissingBlobs(sess, bodies)
	return bodies, nil
}

func readBodiesSingly(ctx context.Context, sess *store.Session, pg *view.PathPage) ([]session.Body, error) {
	ps := pg.Positions()
	bodies := make([]session.Body, len(ps))
	for i, p := range ps {
		b, err := sess.ReadBody(ctx, p)
		switch {
		case errors.Is(err, session.ErrStale) || ctx.Err() != nil:
			return nil, err
		case err != nil:
			b = pg.PreviewBody(i, err)
		}
		bodies[i] = b
	}
	return bodies, nil
}

// findMissingBlobs returns the images whose files do not exist.
func findMissingBlobs(sess *store.Session, bodies []session.Body) map[string]bool {
	missing := map[string]bool{}
	for i := range bodies {
		for j := range bodies[i].Blocks {
			if name := bodies[i].Blocks[j].Blob; name != "" && !sess.HasBlob(name) {
				missing[name] = true
			}
		}
	}
	return missing
}
