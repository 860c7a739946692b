package web

import (
	"context"
	"net/http"

	"sessiontree/internal/session"
	"sessiontree/internal/session/share"
)

// serveShareSocket serves the socket of a live share. It reports only changes of the
// snapshot and closes when the share ends.
func (s *Server) serveShareSocket(w http.ResponseWriter, r *http.Request) error {
	sh, _ := r.Context().Value(shareKey{}).(share.Share)
	snapshot, ok := contextSessionView(r.Context())
	if !ok || !sh.Live {
		return session.ErrNotFound
	}
	ctx, leave := context.WithCancel(s.ctx)
	defer leave()
	if !sh.Expires.IsZero() {
		var done context.CancelFunc
		ctx, done = context.WithDeadline(ctx, sh.Expires)
		defer done()
	}
	one := &viewerSocket{leave}
	s.shareUpdater.addViewerSocket(sh.ID, one)
	defer s.shareUpdater.removeViewerSocket(sh.ID, one)
	if _, err := s.shares.FindByToken(linkToken(r)); err != nil { // the share ended before the socket was registered
		return err
	}
	updates := s.handleViewerErrors(s.serveUpdates)
	requests := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != snapshot.Audience.Base+"/news" {
			s.writeViewerError(w, r, session.ErrNotFound)
			return
		}
		updates(w, r.WithContext(withSessionView(r.Context(), snapshot)))
	})
	return s.runSocket(ctx, w, r, &socket{onlySession: &snapshot, requestHandler: requests})
}
