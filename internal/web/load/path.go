package load

import (
	"context"
	"errors"
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
	"sessiontree/internal/web/view"
	"sessiontree/internal/web/view/path"
	"sessiontree/web/components"
)

// Loader loads pages of the path and entries. It is safe for concurrent use.
type Loader struct {
	Config   view.Config
	Renderer *path.Renderer
}

// New returns a Loader.
func New(c view.Config) *Loader { return &Loader{Config: c, Renderer: path.NewRenderer()} }

// PathModel returns a page of the viewed path.
func (l *Loader) PathModel(ctx context.Context, sess SessionView, p view.Params, q path.Query, now time.Time) (components.PathModel, error) {
	pg, bodies, err := l.readPage(ctx, sess, p, now, func(s view.Scene) (*path.Page, error) { return path.CopyPage(s, q) })
	if err != nil {
		return components.PathModel{}, err
	}
	return l.Renderer.PathModel(pg, bodies), nil
}

// EntryModel returns one entry in full, or some of its blocks. about is what all pages have
// in common.
func (l *Loader) EntryModel(ctx context.Context, sess SessionView, about components.Page, p view.Params, q path.EntryQuery, now time.Time) (components.EntryModel, error) {
	pg, bodies, err := l.readPage(ctx, sess, p, now, func(s view.Scene) (*path.Page, error) { return path.CopyEntryPage(s, q.ID) })
	if err != nil {
		return components.EntryModel{}, err
	}
	return l.Renderer.EntryModel(about, pg, bodies, q)
}

// maxStaleTries limits how often a page is read again when the file was replaced between
// reading the tree and reading bodies.
const maxStaleTries = 3

// readPage returns a page and its bodies. It copies the page out of the tree first and reads
// bodies without the lock.
func (l *Loader) readPage(ctx context.Context, sess SessionView, p view.Params, now time.Time,
	copyPage func(view.Scene) (*path.Page, error)) (*path.Page, []session.Body, error) {
	for try := 1; ; try++ {
		var pg *path.Page
		var epoch uint64
		var err error
		sess.ReadTree(func(t *session.Tree, rev store.Revision) {
			epoch = rev.Epoch
			var s view.Scene
			if s, err = sess.NewScene(l.Config, t, rev, p, now); err == nil {
				pg, err = copyPage(s)
			}
		})
		if err != nil {
			return nil, nil, err
		}
		bodies, err := ReadPageBodies(ctx, sess.Session, pg)
		if err == nil && sess.Session.Revision().Epoch != epoch {
			err = session.ErrStale
		}
		if errors.Is(err, session.ErrStale) && try < maxStaleTries {
			continue
		}
		return pg, bodies, err
	}
}
