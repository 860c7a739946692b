package web

import (
	"context"
	"net/http"
	"sync"

	"github.com/go-chi/chi/v5"

	"sessiontree/internal/session"
	"sessiontree/internal/session/follow"
	"sessiontree/internal/session/share"
	"sessiontree/internal/web/live"
)

// serveShareSocket serves the socket of a live share. It reports only changes of the
// snapshot and closes when the share ends.
func (h *viewerHandlers) serveShareSocket(w http.ResponseWriter, r *http.Request) error {
	sh, _ := r.Context().Value(shareContextKey{}).(share.Share)
	snapshot, ok := contextSessionView(r.Context())
	if !ok || !sh.Live {
		return session.ErrNotFound
	}
	ctx, leave := context.WithCancel(context.Background())
	defer leave()
	if !sh.Expires.IsZero() {
		var done context.CancelFunc
		ctx, done = context.WithDeadline(ctx, sh.Expires)
		defer done()
	}
	defer h.open.add(sh.ID, leave)()
	if _, err := h.shares.FindByToken(chi.URLParam(r, "token")); err != nil { // the share ended before the socket was registered
		return err
	}
	updates := h.handleViewerErrors(h.sessions.serveUpdates)
	requests := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != snapshot.Audience.Base+"/news" {
			h.writeViewerError(w, r, session.ErrNotFound)
			return
		}
		updates(w, r.WithContext(withSessionView(r.Context(), snapshot)))
	})
	return h.sockets.ServeSocket(ctx, w, r, live.SocketOptions{Only: snapshot.Session, Requests: requests})
}

// closeEndedShares closes the sockets of shares that cannot be opened any more.
func (h *viewerHandlers) closeEndedShares(e follow.Event) {
	if e.Topic != follow.SharesTopic {
		return
	}
	open := map[string]bool{}
	for _, sh := range h.shares.List() {
		open[sh.ID] = sh.StateAt(h.now()) == share.Open
	}
	h.open.closeOthers(open)
}

// shareSockets holds the sockets of viewers of shares. The zero value is ready to use.
type shareSockets struct {
	mu      sync.Mutex
	sockets map[*shareSocket]struct{}
}

// shareSocket is a socket of a viewer of a share.
type shareSocket struct {
	id     string // of the share
	cancel context.CancelFunc
}

// add registers a socket that cancel closes. The returned function removes it.
func (s *shareSockets) add(id string, cancel context.CancelFunc) (remove func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.sockets == nil {
		s.sockets = map[*shareSocket]struct{}{}
	}
	one := &shareSocket{id, cancel}
	s.sockets[one] = struct{}{}
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.sockets, one)
	}
}

// closeOthers closes the sockets of all shares but those that are open.
func (s *shareSockets) closeOthers(open map[string]bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for one := range s.sockets {
		if !open[one.id] {
			one.cancel()
		}
	}
}
