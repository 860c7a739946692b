package web

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/a-h/templ"
	"github.com/go-chi/chi/v5"

	"sessiontree/internal/session/catalog"
	"sessiontree/internal/session/follow"
	"sessiontree/internal/web/load"
	"sessiontree/internal/web/view"
	"sessiontree/internal/web/view/index"
	"sessiontree/web/components"
)

// loadingTextInterval is how often the loading page is updated.
const loadingTextInterval = 250 * time.Millisecond

// loadingPageEntries is how many entries of the path follow a loading page. It is small so
// that the rows are painted early; the script requests more.
const loadingPageEntries = 16

// needsLoadingPage reports whether a browser requests a large session that is not open yet.
// Programs get the complete page instead.
func (h *sessionHandlers) needsLoadingPage(r *http.Request) (catalog.Summary, bool) {
	if _, ok := contextSessionView(r.Context()); ok {
		return catalog.Summary{}, false
	}
	sum, ok := h.catalog.FindByKey(chi.URLParam(r, "key"))
	if !ok || sum.Size < view.LargeSession || !wantsHTML(r) {
		return catalog.Summary{}, false
	}
	_, open := h.library.FindOpen(sum.Path)
	return sum, !open
}

// serveLoadingPage serves the page of a large session while its file is read. The head and
// a skeleton are sent at once, so that the browser loads styles and scripts early. Progress
// texts follow, then the session or an error. It is the only page that is sent before it is
// completely rendered.
func (h *sessionHandlers) serveLoadingPage(w http.ResponseWriter, r *http.Request, sum *catalog.Summary) error {
	done := h.startLoading(r)
	header := w.Header()
	header.Set("Cache-Control", cacheNever)
	header.Set("Content-Type", "text/html; charset=utf-8")
	m := index.LoadingModel(h.loader.Config, sum, h.pageModel(r, ""))
	rest := templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		if err := flushComponent(ctx, w, components.LoadingText(m.Text)); err != nil {
			return err
		}
		if err := h.writeLoadingText(ctx, w, sum.Path, done); err != nil {
			return err
		}
		return h.loadedComponent(r).Render(ctx, w)
	})
	_ = components.LoadingPage(m, rest).Render(r.Context(), w) // the client is gone
	return nil
}

// startLoading starts to read the session of a request. Concurrent requests share the same
// read.
func (h *sessionHandlers) startLoading(r *http.Request) <-chan struct{} {
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = h.openSession(r) // the error is reported by loadedComponent
	}()
	return done
}

// writeLoadingText writes the progress until done is closed.
func (h *sessionHandlers) writeLoadingText(ctx context.Context, w io.Writer, path string, done <-chan struct{}) error {
	tick := time.NewTicker(loadingTextInterval)
	defer tick.Stop()
	for {
		select {
		case <-done:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
		if p, ok := h.library.LoadProgress(path); ok {
			if err := flushComponent(ctx, w, components.LoadingText(index.ReadProgressText(p.Read, p.Size))); err != nil {
				return err
			}
		}
	}
}

// loadedComponent returns the session of a request, or its error.
func (h *sessionHandlers) loadedComponent(r *http.Request) templ.Component {
	sess, p, err := h.parseSessionView(r)
	if err == nil {
		var m components.SessionModel
		if m, err = h.consistentSessionModel(r, sess, p, loadingPageEntries); err == nil {
			return components.SessionBody(m)
		}
	}
	if moved, ok := errors.AsType[*follow.MovedError](err); ok {
		return components.ErrorBody(components.ErrorModel{Status: http.StatusTemporaryRedirect, Title: "This session has moved",
			Text: "Its file was moved or renamed.", Links: []components.Link{{Text: "Open it there", Href: "/sessions/" + moved.Key}}})
	}
	problem, detail := h.describeError(r, err)
	return components.ErrorBody(h.errorModel(r, problem, detail))
}

// flushComponent renders c and flushes the response.
func flushComponent(ctx context.Context, w io.Writer, c templ.Component) error {
	return templ.Flush().Render(templ.WithChildren(ctx, c), w)
}

// consistentSessionModel returns the model of a page. It prefers one revision for rows and
// path. If the session keeps growing, two revisions are correct too: the browser requests
// what was added after the older one.
func (h *sessionHandlers) consistentSessionModel(r *http.Request, sess load.SessionView, p view.Params, entries int) (components.SessionModel, error) {
	m, err := h.buildSessionModel(r, sess, p, entries)
	for try := 1; err == nil && m.Path.Rev != m.Rev && try < maxReadTries; try++ {
		m, err = h.buildSessionModel(r, sess, p, entries)
	}
	return m, err
}
