package web

import (
	"context"
	"net/http"
)

// readAheadHandlers open sessions that somebody will probably view next: a page requests it when
// the pointer rests on a link.
type readAheadHandlers struct {
	sessions *sessionHandlers
	slot     chan struct{} // taken while a session is read
}

func newReadAheadHandlers(sessions *sessionHandlers) *readAheadHandlers {
	return &readAheadHandlers{sessions, make(chan struct{}, 1)}
}

// serveReadAhead opens the session of a request, and computes what its page shows. It reads one
// session at a time and ignores other requests meanwhile. The browser aborts the request when it
// opens the page; the reading then continues for the page. Errors are for the page to report.
func (h *readAheadHandlers) serveReadAhead(w http.ResponseWriter, r *http.Request) error {
	select {
	case h.slot <- struct{}{}:
		ctx, cancel := context.WithCancel(context.WithoutCancel(r.Context()))
		stop := context.AfterFunc(h.sessions.ctx, cancel) // with the server
		h.readAhead(r.WithContext(ctx))
		stop()
		cancel()
		<-h.slot
	default:
	}
	w.Header().Set("Cache-Control", cacheNever)
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func (h *readAheadHandlers) readAhead(r *http.Request) {
	sess, p, err := h.sessions.parseSessionView(r)
	if err == nil {
		_, err = h.sessions.consistentSessionModel(r, sess, p, 0)
	}
	if err != nil {
		h.sessions.log.Debug("a session was not read ahead", "err", err)
	}
}
