package web

import (
	"context"
	"net/http"

	"github.com/go-chi/chi/v5"

	"sessiontree/internal/session/store"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// shownKey is where a context holds what is shown.
type shownKey struct{}

// withShown makes the handlers of a session show this one, whatever the address
// says: what a share holds is read through them.
func withShown(ctx context.Context, sess view.Shown) context.Context {
	return context.WithValue(ctx, shownKey{}, sess)
}

// isShown answers what withShown put there.
func isShown(ctx context.Context) (view.Shown, bool) {
	sess, ok := ctx.Value(shownKey{}).(view.Shown)
	return sess, ok
}

// shown is the session that a request is about, as it is to be shown.
func (s *Server) shown(r *http.Request) (view.Shown, error) {
	if sess, ok := isShown(r.Context()); ok {
		return sess, nil
	}
	sess, err := s.find(r.Context(), chi.URLParam(r, "key"))
	return view.Shown{Session: sess}, err
}

// session opens the session that a request is about.
func (s *Server) session(r *http.Request) (*store.Session, error) {
	sess, err := s.shown(r)
	return sess.Session, err
}

// viewed opens the session a request is about and reads how it wants to see it.
func (s *Server) viewed(r *http.Request) (view.Shown, view.Params, error) {
	p, err := view.ParseParams(r.URL.Query())
	if err != nil {
		return view.Shown{}, p, err
	}
	sess, err := s.shown(r)
	return sess, p, err
}

// readerPage is what every page of a session has in common for its readers.
func (s *Server) readerPage(r *http.Request, sess view.Shown) components.Page {
	p := s.page(r, "")
	p.Live = ""
	if sess.Stand.Reader.Live {
		p.Live = sess.Stand.Base + "/live"
	}
	return p
}
