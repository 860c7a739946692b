package web

import (
	"context"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"

	"sessiontree/internal/session/catalog"
	"sessiontree/internal/session/follow"
	"sessiontree/internal/session/store"
	"sessiontree/internal/web/finder"
	"sessiontree/internal/web/load"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// sessionViewKey is the context key for the session view of a request.
type sessionViewKey struct{}

// withSessionView makes the handlers for sessions use this session instead of the one in
// the address. Shares are served this way.
func withSessionView(ctx context.Context, sess load.SessionView) context.Context {
	return context.WithValue(ctx, sessionViewKey{}, sess)
}

// contextSessionView returns the session view set by withSessionView.
func contextSessionView(ctx context.Context) (load.SessionView, bool) {
	sess, ok := ctx.Value(sessionViewKey{}).(load.SessionView)
	return sess, ok
}

// sessionSource opens the sessions of requests and computes what they show. Its caches are
// shared by all handlers.
type sessionSource struct {
	library  *store.Library
	catalog  *catalog.Catalog
	follower *follow.Follower
	loader   *load.Loader
	outlines *outlineCache
	searches *finder.Cache
	now      func() time.Time
	// canRestore is set if deleted files can be restored from their copies.
	canRestore bool
	onHub      bool
	onRead     func(path string) // nil if nobody wants to know
}

// requestSessionView returns the session of a request and how to show it.
func (s *sessionSource) requestSessionView(r *http.Request) (load.SessionView, error) {
	if sess, ok := contextSessionView(r.Context()); ok {
		return sess, nil
	}
	sess, err := s.follower.OpenSession(r.Context(), chi.URLParam(r, "key"), s.follower.FindDeadline())
	if err != nil {
		return load.SessionView{}, err
	}
	if s.onRead != nil {
		s.onRead(sess.Path())
	}
	return load.SessionView{Session: sess, Owned: s.catalog.Ledger().Ownership(sess.Path())}, nil
}

// openSession opens the session of a request.
func (s *sessionSource) openSession(r *http.Request) (*store.Session, error) {
	sess, err := s.requestSessionView(r)
	return sess.Session, err
}

// parseSessionView opens the session of a request and parses its view parameters.
func (s *sessionSource) parseSessionView(r *http.Request) (load.SessionView, view.Params, error) {
	p, err := view.ParseParams(r.URL.Query())
	if err != nil {
		return load.SessionView{}, p, err
	}
	sess, err := s.requestSessionView(r)
	return sess, p, err
}

// viewerPageModel returns what all pages of a snapshot have in common.
func (h *sessionHandlers) viewerPageModel(r *http.Request, sess load.SessionView) components.Page {
	p := h.pageModel(r, "")
	p.Live = ""
	if sess.Audience.Snapshot.Live {
		p.Live = sess.Audience.Base + "/live"
	}
	return p
}
