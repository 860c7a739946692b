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
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// minLoadingPageSize is the size of a file that is read before a browser would have shown
// anything else.
const minLoadingPageSize = 5 << 20

// loadingTextInterval is how often a page that waits is told how much is read.
const loadingTextInterval = 250 * time.Millisecond

// loadingPageEntries is how many entries of the path a page begins with that waited for
// its session: few are laid out before the rows are painted. Script asks for more.
const loadingPageEntries = 16

// needsLoadingPage reports whether a browser asks for a session that has to be read and
// is large: it is told so while it waits. Programs get the page when it is whole.
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

// serveLoadingPage answers with the page of a large session while its file is read. The
// head and a skeleton go out at once, so that the browser has styles and script
// ready when the rows come; how much is read follows, then the session, or what
// went wrong. It is the one page that is not rendered whole before it is sent.
func (s *Server) serveLoadingPage(w http.ResponseWriter, r *http.Request, sum *catalog.Summary) error {
	done := s.startLoading(r)
	h := w.Header()
	h.Set("Cache-Control", cacheNever)
	h.Set("Content-Type", "text/html; charset=utf-8")
	m := s.builder.LoadingModel(sum, s.pageModel(r, ""))
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
	_ = components.LoadingPage(m, rest).Render(r.Context(), w) // the reader left
	return nil
}

// startLoading begins to read the session that a request names. Whoever asks for it
// meanwhile waits for the same reading.
func (s *Server) startLoading(r *http.Request) <-chan struct{} {
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = s.openSession(r) // what went wrong is told when the page asks for it
	}()
	return done
}

// writeLoadingText tells how much is read until done.
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

// loadedComponent is the session that a request names, or what is wrong with it.
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

// flushComponent sends what was rendered so far, and c.
func flushComponent(ctx context.Context, w io.Writer, c templ.Component) error {
	return templ.Flush().Render(templ.WithChildren(ctx, c), w)
}

// consistentSessionModel is the page's model. The session may grow between its tree and its
// path. A page that tells one revision for both is better, one of two is still
// right: what the browser asks for next is what came after the older one.
func (s *Server) consistentSessionModel(r *http.Request, sess view.SessionView, p view.Params, entries int) (components.SessionModel, error) {
	m, err := s.buildSessionModel(r, sess, p, entries)
	for try := 1; err == nil && m.Path.Rev != m.Rev && try < maxReadTries; try++ {
		m, err = s.buildSessionModel(r, sess, p, entries)
	}
	return m, err
}
