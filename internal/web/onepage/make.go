// Package onepage makes a page that needs no server of a session: what is shown, what
// the script shows when it is asked, and the session file itself.
package onepage

import (
	"compress/gzip"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"html"
	"io"
	"os"
	"strings"
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
	b     *view.Builder
	snap  *export.Snapshot
	sess  view.Shown
	all   []session.Stretch
	tree  pageTree
	cost  string
	parts *parts
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
	if m.parts, err = newParts(out); err != nil {
		return err
	}
	model, err := m.first(ctx, o)
	if err != nil {
		return err
	}
	page := components.OnePage{
		Policy: static.PagePolicy(), Icon: static.PageIcon(),
		Style:  templ.Raw("<style>" + static.PageStyle() + "</style>"),
		Script: templ.Raw("<script>" + static.PageScript() + "</script>"),
		Data: templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
			m.parts.w.Reset(w)
			return errors.Join(m.data(ctx), m.parts.w.Flush())
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

// data writes what the script reads.
func (m *maker) data(ctx context.Context) error {
	for _, step := range []func(context.Context) error{m.pages, m.rows, m.tipFacts, func(context.Context) error { return m.parts.json("tree", &m.tree) }, m.snapshot} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// pages writes every entry, once.
func (m *maker) pages(ctx context.Context) error {
	out, entries, n := chunk{p: m.parts, name: "path"}, 0, int32(0)
	err := m.b.StretchPages(ctx, m.sess, m.all, func(p view.StretchPage) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		var html strings.Builder
		if err := components.Items(p.Items).Render(ctx, &html); err != nil {
			return err
		}
		m.tree.Pages.Stretch, m.tree.Pages.Size = append(m.tree.Pages.Stretch, int32(p.Stretch)), append(m.tree.Pages.Size, int32(p.Entries))
		full, err := out.add(html.String(), 1<<30)
		if n++; full {
			m.tree.Parts, n = append(m.tree.Parts, n), 0
		}
		entries += p.Entries
		m.snap.Told(entries)
		return err
	})
	if n > 0 {
		m.tree.Parts = append(m.tree.Parts, n)
	}
	return errors.Join(err, out.end())
}

// rows writes the rows under every filter.
func (m *maker) rows(ctx context.Context) (err error) {
	pieces := newRowPieces(m.parts)
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

// snapshot writes the session file.
func (m *maker) snapshot(ctx context.Context) error {
	f, err := os.Open(m.snap.Path)
	if err != nil {
		return err
	}
	defer f.Close()
	w := m.parts.w
	fmt.Fprintf(w, "<script type=\"text/plain\" id=\"%s\" data-name=\"%s\">", export.SnapshotID, html.EscapeString(m.snap.Name))
	b := base64.NewEncoder(base64.StdEncoding, w)
	z := gzip.NewWriter(b)
	_, err = io.Copy(z, &reading{ctx, f})
	if err = errors.Join(err, z.Close(), b.Close()); err != nil {
		return err
	}
	_, err = w.WriteString("</script>\n")
	return err
}

// reading ends with a context.
type reading struct {
	ctx context.Context
	r   io.Reader
}

func (r *reading) Read(b []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.r.Read(b)
}
