package onepage

import (
	"context"
	"errors"
	"runtime"
	"strings"

	"golang.org/x/sync/errgroup"

	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// renderedPage is a page of a stretch as HTML.
type renderedPage struct {
	view.StretchPage
	html string
	err  error
}

// pages writes every entry, once.
func (m *maker) pages(ctx context.Context, p *parts) error {
	out, entries, n := chunk{p: p, name: "path"}, 0, int32(0)
	err := m.renderPages(ctx, func(page renderedPage) error {
		m.tree.Pages.Stretch, m.tree.Pages.Size = append(m.tree.Pages.Stretch, int32(page.Stretch)), append(m.tree.Pages.Size, int32(page.Entries))
		full, err := out.add(page.html, 1<<30)
		if n++; full {
			m.tree.Parts, n = append(m.tree.Parts, n), 0
		}
		entries += page.Entries
		m.snap.Told(entries)
		return err
	})
	if n > 0 {
		m.tree.Parts = append(m.tree.Parts, n)
	}
	return errors.Join(err, out.end())
}

// renderPages renders as many pages at a time as there are cores and calls take with
// them in their order.
func (m *maker) renderPages(ctx context.Context, take func(renderedPage) error) error {
	g, ctx := errgroup.WithContext(ctx)
	order := make(chan chan renderedPage, runtime.GOMAXPROCS(0))
	g.Go(func() error {
		defer close(order)
		return m.b.StretchPages(m.sess, m.all, func(p view.StretchPage) error {
			done := make(chan renderedPage, 1)
			select {
			case order <- done:
			case <-ctx.Done():
				return ctx.Err()
			}
			g.Go(func() error { done <- renderPage(ctx, p); return nil })
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

func renderPage(ctx context.Context, p view.StretchPage) renderedPage {
	r := renderedPage{StretchPage: p}
	items, err := p.Items(ctx)
	var html strings.Builder
	if err == nil {
		err = components.Items(items).Render(ctx, &html)
	}
	r.html, r.err = html.String(), err
	return r
}
