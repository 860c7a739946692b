// Package onepage makes a page that needs no server of a session: what is shown, what
// the script shows when it is asked, and the session file itself.
package onepage

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/a-h/templ"

	"sessiontree/internal/session"
	"sessiontree/internal/session/export"
	"sessiontree/internal/session/store"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
	"sessiontree/web/static"
)

// Options say what a page tells besides what the session does.
type Options struct {
	View view.Config
	// Reader is what stands above the path; nil is what is known of an export.
	Reader *components.ReaderModel
	Now    func() time.Time // nil = time.Now
}

// maker renders a page of a session that nobody changes.
type maker struct {
	b    *view.Builder
	snap *export.Snapshot
	sess view.Shown
	all  []session.Stretch
	tree pageTree
	cost string
}

// Painter makes pages.
func Painter(o Options) export.Painter {
	o.View.Zone = time.UTC // where a page was made is nobody's business
	if o.Now == nil {
		o.Now = time.Now
	}
	return func(ctx context.Context, w io.Writer, s *export.Snapshot) error {
		m := &maker{b: view.New(o.View), snap: s, sess: view.Shown{Session: s.Session, Stand: view.Stand{Base: "#", Whole: true}}}
		return m.paint(ctx, w, o)
	}
}

// paint writes the page.
func (m *maker) paint(ctx context.Context, out io.Writer, o Options) (err error) {
	model, err := m.first(ctx, o)
	if err != nil {
		return err
	}
	page := components.OnePage{
		Policy: static.PagePolicy(), Icon: static.PageIcon(),
		Style:  templ.Raw("<style>" + static.PageStyle() + "</style>"),
		Script: templ.Raw("<script>" + static.PageScript() + "</script>"),
		// The context that templ gives has a value that renderings change, and here are several.
		Data: templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
			return m.data(ctx, w)
		}),
	}
	return components.SessionOnePage(model, page).Render(ctx, out)
}

// reader is what stands above the path.
func (m *maker) reader(t *session.Tree, o Options) *components.ReaderModel {
	r := m.b.Exported(t, o.Now())
	r.Of, r.Redacted = m.snap.Of, m.snap.Redacted
	if o.Reader != nil {
		own := *o.Reader
		own.Redacted += m.snap.Redacted
		r = &own
	}
	r.HTML, r.JSONL, r.Live = "", "#"+export.SnapshotID, false
	return r
}

// scene is the session under a filter.
func (m *maker) scene(t *session.Tree, rev store.Rev, f session.Filter, all bool) view.Scene {
	v := session.View{Leaf: t.Leaf(), Entry: t.Leaf(), Filter: f, OpenAll: all}
	return view.Scene{
		Key: m.sess.Key(), Rev: rev, Tree: t, Outline: t.Outline(v), Params: view.Params{Filter: f}, View: v, Stand: m.sess.Stand,
	}
}

// rows writes the rows under every filter.
func (m *maker) rows(ctx context.Context, p *parts) (err error) {
	pieces := newRowPieces(p)
	for _, f := range filters {
		m.sess.Read(func(t *session.Tree, rev store.Rev) {
			var told pageFilter
			if told, err = pieces.rows(ctx, m.b, m.scene(t, rev, f, true)); err == nil {
				m.tree.Filters = append(m.tree.Filters, told)
			}
		})
		if err = errors.Join(err, ctx.Err()); err != nil {
			return err
		}
	}
	return pieces.chunk.end()
}
