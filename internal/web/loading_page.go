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
	"sessiontree/internal/web/load"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// minLoadingPageSize is the file size from which a loading page is shown. Smaller files are
// read before a browser could show one.
const minLoadingPageSize = 5 << 20

// loadingTextInterval is how often the loading page is updated.
const loadingTextInterval = 250 * time.Millisecond

// loadingPageEntries is how many entries of the path follow a loading page. It is small so
// that the rows are painted early; the script requests more.
const loadingPageEntries = 16

// needsLoadingPage reports whether a browser requests a large session that is not open yet.
// Programs get the complete page instead.
func (s *Server) needsLoadingPage(r *http.Request) (catalog.Summary, bool) {
	if _, ok := contextSessionView(r.Context()); ok {
		return catalog.Summary{}, false
	}
	sum, ok := s.catalog.FindByKey(chi.URLParam(r, "key"))
	if !ok || sum.Size < minLoadingPageSize || !wantsHTML(r) {
		return catalog.Summary{}, false
	}
	_, open := s.library.FindOpen(sum.Path)
	return sum, !open
}

// serveLoadingPage serves the page of a large session while its file is read. The head and
// a skeleton are sent at once, so that the browser loads styles and scripts early. Progress
// texts follow, then the session or an error. It is the only page that is sent before it is
// completely rendered.
func (s *Server) serveLoadingPage(w http.ResponseWriter, r *http.Request, sum *catalog.Summary) error {
	done := s.startLoading(r)
	h := w.Header()
	h.Set("Cache-Control", cacheNever)
	h.Set("Content-Type", "text/html; charset=utf-8")
	m := view.LoadingModel(s.loader.Config, sum, s.pageModel(r, ""))
	rest := templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		if err := flushComponent(ctx, w, components.LoadingText(m.Text)); err != nil {
			return err
		}
		err := s.writeLoadingText(ctx, w, sum.Path, done)
		if err != nil {
			return err
		}
		return s.loadedComponent(r).Render(ctx, w)
	})
	_ = components.LoadingPage(m, rest).Render(r.Context(), w) // the client is gone
	return nil
}

// startLoading starts to read the session of a request. Concurrent requests share the same
// read.
func (s *Server) startLoading(r *http.Request) <-chan struct{} {
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = s.openSession(r) // the error is reported by loadedComponent
	}()
	return done
}

// writeLoadingText writes the progress until done is closed.
func (s *Server) writeLoadingText(ctx context.Context, w io.Writer, path string, done <-chan struct{}) error {
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
		if p, ok := s.library.LoadProgress(path); ok {
			if err := flushComponent(ctx, w, components.LoadingText(view.ReadProgressText(p.Read, p.Size))); err != nil {
				return err
			}
		}
	}
}

// loadedComponent returns the session of a request, or its error.
func (s *Server) loadedComponent(r *http.Request) templ.Component {
	sess, p, err := s.parseSessionView(r)
	if err == nil {
		var m components.SessionModel
		if m, err = s.consistentSessionModel(r, sess, p, loadingPageEntries); err == nil {
			return components.SessionBody(m)
		}
	}
	var moved *movedError
	if errors.As(err, &moved) {
		return components.ErrorBody(components.ErrorModel{Status: http.StatusTemporaryRedirect, Title: "This session has moved",
			Text: "Its file was moved or renamed.", Links: []components.Link{{Text: "Open it there", Href: "/sessions/" + moved.key}}})
	}
	problem, detail := s.describeError(r, err)
	return components.ErrorBody(s.errorModel(r, problem, detail))
}

// flushComponent renders c and flushes the response.
func flushComponent(ctx context.Context, w io.Writer, c templ.Component) error {
	return templ.Flush().Render(templ.WithChildren(ctx, c), w)
}

// consistentSessionModel returns the model of a page. It prefers one revision for rows and
// path. If the session keeps growing, two revisions are correct too: the browser requests
// what was added after the older one.
func (s *Server) consistentSessionModel(r *http.Request, sess load.SessionView, p view.Params, entries int) (components.SessionModel, error) {
	m, err := s.buildSessionModel(r, sess, p, entries)
	for try := 1; err == nil && m.Path.Rev != m.Rev && try < maxReadTries; try++ {
		m, err = s.buildSessionModel(r, sess, p, entries)
	}
	return m, err
}
