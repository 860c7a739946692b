// Package htmlexport exports a session as a single HTML file that needs no server. It
// contains the first view, the data from which the script builds other views, and the
// session file, which "explorer export page.html" extracts again.
//
// The tree is cut into segments from fork to fork, so that each entry is stored once, as
// compressed text in base64. The script is that of the live page with a local source of
// data (web/static/page) in place of the server; esbuild bundles it at build time.
package htmlexport

import (
	"bytes"
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/a-h/templ"

	"sessiontree/internal/session"
	"sessiontree/internal/session/export"
	"sessiontree/internal/session/outline"
	"sessiontree/internal/session/store"
	"sessiontree/internal/web/load"
	"sessiontree/internal/web/view"
	"sessiontree/internal/web/view/path"
	"sessiontree/web/components"
	"sessiontree/web/static"
)

// Options are the options of an HTML export.
type Options struct {
	View view.Config
	// Header is shown above the path; nil shows a header derived from the export.
	Header *components.SnapshotHeader
	Now    func() time.Time // nil = time.Now
}

// pageRenderer renders a page of a session that does not change meanwhile.
type pageRenderer struct {
	config   view.Config
	renderer *path.Renderer
	snapshot *export.Snapshot
	sess     load.SessionView
	segments []session.Segment
	tree     pageTree
	buffers  sync.Pool // of *bytes.Buffer, for the HTML of one page of a segment
}

// NewRenderer returns the renderer for HTML exports.
func NewRenderer(o Options) export.HTMLRenderer {
	o.View.Zone = time.UTC // the machine's zone would reveal its location
	if o.Now == nil {
		o.Now = time.Now
	}
	return func(ctx context.Context, w io.Writer, s *export.Snapshot) error {
		m := &pageRenderer{
			config: o.View, renderer: path.NewRenderer(), snapshot: s,
			buffers: sync.Pool{New: func() any { return new(bytes.Buffer) }},
			sess:    load.SessionView{Session: s.Session, Audience: view.Audience{Base: "#", Standalone: true}},
		}
		return m.renderPage(components.WithPageTime(ctx, time.Time{}), w, o)
	}
}

// renderPage writes the page.
func (m *pageRenderer) renderPage(ctx context.Context, out io.Writer, o Options) (err error) {
	model, err := m.buildFirstView(ctx, o)
	if err != nil {
		return err
	}
	page := components.ExportPageParts{
		Policy: static.PagePolicy(), Icon: static.PageIcon(),
		Style:  templ.Raw("<style>" + static.PageStyle() + "</style>"),
		Script: templ.Raw("<script>" + static.PageScript() + "</script>"),
		// The context from templ holds a value that rendering modifies, and parts are
		// rendered concurrently.
		Data: templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
			return m.writePageData(ctx, w)
		}),
	}
	return components.ExportedSessionPage(model, page).Render(ctx, out)
}

// snapshotHeader returns the header above the path.
func (m *pageRenderer) snapshotHeader(t *session.Tree, o Options) *components.SnapshotHeader {
	r := m.config.ExportHeader(t, o.Now())
	r.SessionEntries, r.Redacted = m.snapshot.TotalEntries, m.snapshot.Redacted
	if o.Header != nil {
		own := *o.Header
		own.Redacted += m.snapshot.Redacted
		r = &own
	}
	r.HTML, r.JSONL, r.Live = "", "#"+export.EmbeddedFileID, false
	return r
}

// filterScene returns the scene of the session under a filter.
func (m *pageRenderer) filterScene(t *session.Tree, rev store.Revision, f outline.Filter, all bool) view.Scene {
	v := outline.View{Leaf: t.Leaf(), Entry: t.Leaf(), Filter: f, OpenAll: all}
	return view.Scene{
		Config: m.config, Key: m.sess.Key(), Rev: rev.String(), Tree: t, Outline: outline.Build(t, v), Params: view.Params{Filter: f}, View: v, Audience: m.sess.Audience,
	}
}

// writeRows writes the rows under every filter.
func (m *pageRenderer) writeRows(ctx context.Context, p *partWriter) (err error) {
	rows := newRowWriter(p)
	for _, f := range offeredFilters {
		m.sess.ReadTree(func(t *session.Tree, rev store.Revision) {
			var filter pageFilter
			if filter, err = rows.writeFilterRows(ctx, m.filterScene(t, rev, f, true)); err == nil {
				m.tree.Filters = append(m.tree.Filters, filter)
			}
		})
		if err = errors.Join(err, ctx.Err()); err != nil {
			return err
		}
	}
	return rows.chunk.flushChunk()
}
