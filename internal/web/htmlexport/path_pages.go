package htmlexport

import (
	"bytes"
	"context"
	"errors"
	"runtime"

	"golang.org/x/sync/errgroup"

	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
	"sessiontree/internal/web/load"
	"sessiontree/internal/web/view"
	"sessiontree/internal/web/view/path"
	"sessiontree/web/components"
)

// renderedPage is a page of a segment as HTML.
type renderedPage struct {
	*path.SegmentPage
	html string
	err  error
}

// writePathPages writes the pages of all segments, each entry once.
func (m *pageRenderer) writePathPages(ctx context.Context, p *partWriter) error {
	out, entries, n := textChunk{out: p, name: "path"}, 0, int32(0)
	err := m.renderSegmentPages(ctx, func(page renderedPage) error {
		m.tree.Pages.Stretch, m.tree.Pages.Size = append(m.tree.Pages.Stretch, int32(page.Segment)), append(m.tree.Pages.Size, int32(page.Entries))
		full, err := out.addText(page.html, 1<<30)
		if n++; full {
			m.tree.Parts, n = append(m.tree.Parts, n), 0
		}
		entries += page.Entries
		m.snapshot.Progress(entries)
		return err
	})
	if n > 0 {
		m.tree.Parts = append(m.tree.Parts, n)
	}
	return errors.Join(err, out.flushChunk())
}

// renderSegmentPages renders pages on all cores and calls take with them in order.
func (m *pageRenderer) renderSegmentPages(ctx context.Context, take func(renderedPage) error) error {
	g, ctx := errgroup.WithContext(ctx)
	// Pages take different times: a slow one must not leave the other cores without work.
	order := make(chan chan renderedPage, 4*runtime.GOMAXPROCS(0))
	g.Go(func() error {
		defer close(order)
		return m.visitSegmentPages(func(p *path.SegmentPage) error {
			done := make(chan renderedPage, 1)
			select {
			case order <- done:
			case <-ctx.Done():
				return ctx.Err()
			}
			g.Go(func() error { done <- m.renderSegmentPage(ctx, p); return nil })
			return nil
		})
	})
	g.Go(func() error {
		for done := range order {
			page := <-done
			if page.err != nil {
				return page.err
			}
			if err := take(page); err != nil {
				return err
			}
		}
		return nil
	})
	return g.Wait()
}

// visitSegmentPages calls fn with the pages of all segments.
func (m *pageRenderer) visitSegmentPages(fn func(*path.SegmentPage) error) error {
	var pager *path.SegmentPager
	m.sess.ReadTree(func(t *session.Tree, _ store.Revision) {
		pager = path.NewSegmentPager(view.Scene{Config: m.config, Key: m.sess.Key(), Tree: t, Audience: m.sess.Audience}, m.segments)
	})
	for {
		var page *path.SegmentPage
		m.sess.ReadTree(func(*session.Tree, store.Revision) { page = pager.NextPage() })
		if page == nil {
			return nil
		}
		if err := fn(page); err != nil {
			return err
		}
	}
}

// buildItems reads the bodies of a page and returns its items.
func (m *pageRenderer) buildItems(ctx context.Context, p *path.SegmentPage) ([]components.Item, error) {
	bodies, err := load.ReadPageBodies(ctx, m.sess.Session, p.Page)
	if err != nil {
		return nil, err
	}
	return m.renderer.SegmentItems(p, bodies), nil
}

func (m *pageRenderer) renderSegmentPage(ctx context.Context, p *path.SegmentPage) renderedPage {
	r := renderedPage{SegmentPage: p}
	items, err := m.buildItems(ctx, p)
	html := m.buffers.Get().(*bytes.Buffer)
	defer m.buffers.Put(html)
	html.Reset()
	if err == nil {
		err = components.Items(items).Render(ctx, html)
	}
	r.html, r.err = html.String(), err
	return r
}
