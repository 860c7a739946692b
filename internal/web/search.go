package web

import (
	"fmt"
	"net/http"

	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
	"sessiontree/internal/web/finder"
)

// serveHits streams the entries of a session that match q, or with failed=1 its failed tool
// calls. With since= it searches only the entries added since that revision, if possible.
func (h *sessionHandlers) serveHits(w http.ResponseWriter, r *http.Request) error {
	sess, p, err := h.parseSessionView(r)
	if err != nil {
		return err
	}
	q := r.URL.Query()
	find := finder.Request{
		Session: sess.Session, Config: h.loader.Config.ForAudience(sess.Audience),
		Text: p.Query, Failed: q.Get("failed") == "1", Viewed: p.Entry,
	}
	if since := q.Get("since"); since != "" {
		if find.Since, err = store.ParseRevision(since); err != nil {
			return fmt.Errorf("%w: since=%q is no revision", session.ErrInvalid, since)
		}
	}
	w.Header().Set("Content-Type", "application/x-ndjson")
	w.Header().Set("Cache-Control", cacheNever)
	flush := func() { _ = http.NewResponseController(w).Flush() }
	if err := h.searches.WriteHits(r.Context(), w, flush, find); err != nil {
		h.log.Warn("search failed", "session", sess.Key(), "err", err)
	}
	return nil
}
