package web

import (
	"context"
	"net/http"

	"sessiontree/internal/session"
	"sessiontree/internal/session/share"
)

// shareLive serves the socket of a live share: it tells of the snapshot and of
// nothing else, and ends with the share.
func (s *Server) shareLive(w http.ResponseWriter, r *http.Request) error {
	sh, _ := r.Context().Value(shareKey{}).(share.Share)
	shown, ok := isShown(r.Context())
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
	one := &reader{leave}
	s.keeper.join(sh.ID, one)
	defer s.keeper.leave(sh.ID, one)
	if _, err := s.shares.Find(token(r)); err != nil { // ended before the keeper knew of the socket
		return err
	}
	news := s.toReader(s.news)
	asks := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != shown.Stand.Base+"/news" {
			s.failReader(w, r, session.ErrNotFound)
			return
		}
		news(w, r.WithContext(withShown(r.Context(), shown)))
	})
	return s.connect(ctx, w, r, &socket{only: &shown, asks: asks})
}
