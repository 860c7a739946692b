package web

import (
	"context"
	"net/http"

	"github.com/go-chi/chi/v5"

	"sessiontree/internal/session/store"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// sessionViewKey is where a context holds what is shown.
type sessionViewKey struct{}

// withSessionView makes the handlers of a session show this one, whatever the address
// says: what a share holds is read through them.
func withSessionView(ctx context.Context, sess view.SessionView) context.Context {
	return context.WithValue(ctx, sessionViewKey{}, sess)
}

// contextSessionView answers what withShown put there.
func contextSessionView(ctx context.Context) (view.SessionView, bool) {
	sess, ok := ctx.Value(sessionViewKey{}).(view.SessionView)
	return sess, ok
}

// requestSessionView is the session that a request is about, as it is to be shown.
func (s *Server) requestSessionView(r *http.Request) (view.SessionView, error) {
	if sess, ok := contextSessionView(r.Context()); ok {
		return sess, nil
	}
	sess, err := s.findSession(r.Context(), chi.URLParam(r, "key"))
	return view.SessionView{Session: sess}, err
}

// openSession opens the session that a request is about.
func (s *Server) openSession(r *http.Request) (*store.Session, error) {
	sess, err := s.requestSessionView(r)
	return sess.Session, err
}

// parseSessionView opens the session a request is about and reads how it wants to see it.
func (s *Server) parseSessionView(r *http.Request) (view.SessionView, view.Params, error) {
	p, err := view.ParseParams(r.URL.Query())
	if err != nil {
		return view.SessionView{}, p, err
	}
	sess, err := s.requestSessionView(r)
	return sess, p, err
}

// viewerPageModel is what every page of a session has in common for its readers.
func (s *Server) viewerPageModel(r *http.Request, sess view.SessionView) components.Page {
	p := s.pageModel(r, "")
	p.Live = ""
	if sess.Audience.Snapshot.Live {
		p.Live = sess.Audience.Base + "/live"
	}
	return p
}
