package web

import (
	"context"
	"net/http"

	"sessiontree/internal/session"
	"sessiontree/internal/session/share"
)

// serveShareSocket serves the socket of a live share: it tells of the snapshot and of
// nothing else, and ends with the share.
func (s *Server) serveShareSocket(w http.ResponseWriter, r *http.Request) error {
	sh, _ := r.Context().Value(shareKey{}).(share.Share)
	shown, ok := contextSessionView(r.Context())
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
	if _, err := s.shares.FindByToken(linkToken(r)); err != nil { // ended before the keeper knew of the socket
		return err
	}
	news := s.handleViewerErrors(s.serveUpdates)
	asks := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != shown.Audience.Base+"/news" {
			s.writeViewerError(w, r, session.ErrNotFound)
			return
		}
		news(w, r.WithContext(withSessionView(r.Context(), shown)))
	})
	return s.runSocket(ctx, w, r, &socket{onlySession: &shown, requestHandler: asks})
}
