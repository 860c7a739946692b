package web

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/go-chi/chi/v5"
	"golang.org/x/sync/semaphore"

	"sessiontree/internal/session"
	"sessiontree/internal/session/export"
	"sessiontree/internal/session/share"
	"sessiontree/internal/session/store"
	"sessiontree/internal/web/auth"
	"sessiontree/internal/web/htmlexport"
	"sessiontree/internal/web/live"
	"sessiontree/internal/web/load"
	"sessiontree/internal/web/view"
	"sessiontree/internal/web/view/dialog"
	"sessiontree/web/components"
)

// errTooManyInvalidLinks reports a peer that requested too many invalid links.
var errTooManyInvalidLinks = errors.New("too many invalid links")

// viewerHandlers serve shares to anybody with a link.
type viewerHandlers struct {
	*responder
	*sessionSource
	sessions *sessionHandlers
	shares   *share.Shares
	limiter  *auth.LinkLimiter
	exports  *semaphore.Weighted // limits concurrent exports
	sockets  *live.Sockets
	open     shareSockets
}

// setShareHeaders sets the headers of all responses about shares: no caching, no indexing,
// no referrer.
func setShareHeaders(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("X-Robots-Tag", "noindex, nofollow")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", cacheNever)
		next.ServeHTTP(w, r)
	})
}

// shareContextKey is the context key for the share of a request.
type shareContextKey struct{}

// withOpenShare opens the share of the link for the handlers for sessions.
func (h *viewerHandlers) withOpenShare(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sess, sh, err := h.shares.OpenSnapshot(r.Context(), chi.URLParam(r, "token"))
		if err != nil {
			if errors.Is(err, session.ErrNotFound) && !h.limiter.AllowInvalidLink(r) {
				err = errTooManyInvalidLinks
			}
			h.writeViewerError(w, r, err)
			return
		}
		audience := view.Audience{Base: "/share/" + chi.URLParam(r, "token")}
		var project, format string
		sess.ReadTree(func(t *session.Tree, _ store.Revision) { project, format = view.ProjectName(t), t.Header().Format })
		if !sh.ShowNames {
			project = ""
		}
		audience.Snapshot = dialog.ShareHeader(h.loader.Config, &sh, audience.Base, project, format, h.now())
		ctx := context.WithValue(r.Context(), shareContextKey{}, sh)
		next.ServeHTTP(w, r.WithContext(withSessionView(ctx, load.SessionView{Session: sess, Audience: audience})))
	})
}

// handleViewerErrors is handleErrors for viewers of shares: errors reveal nothing about the
// rest of the explorer.
func (h *viewerHandlers) handleViewerErrors(serve errorHandler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := serve(w, r); err != nil {
			h.writeViewerError(w, r, err)
		}
	}
}

// showShare serves the page of a share and counts the visit.
func (h *viewerHandlers) showShare(w http.ResponseWriter, r *http.Request) error {
	if sh, ok := r.Context().Value(shareContextKey{}).(share.Share); ok && r.Method == http.MethodGet && wantsHTML(r) {
		h.shares.CountVisit(sh.ID)
	}
	return h.sessions.showSession(w, r)
}

// maxShareExports limits concurrent exports of snapshots. An HTML export is expensive.
const maxShareExports = 2

// serveShareFile serves the snapshot as a file.
func (h *viewerHandlers) serveShareFile(w http.ResponseWriter, r *http.Request) error {
	sess, err := h.openSession(r)
	if err != nil {
		return err
	}
	as := export.Kind(r.URL.Query().Get("as"))
	if as != export.JSONL && as != export.HTML {
		return session.ErrNotFound
	}
	if err := h.exports.Acquire(r.Context(), 1); err != nil {
		return err
	}
	defer h.exports.Release(1)
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(h.ctx, cancel)()
	job, err := export.Prepare(ctx, sess, export.Options{Part: export.Part{Scope: export.Tree}, Kind: as, Origin: export.Origin{OmitSource: true}, RenderHTML: h.shareRenderer(r)})
	if err != nil {
		return err
	}
	return h.streamExport(ctx, newAttachment(w, job), r, job)
}

// shareRenderer returns the renderer for a downloaded page. Its header is that of the
// share, without the expiry.
func (h *viewerHandlers) shareRenderer(r *http.Request) export.HTMLRenderer {
	snapshot, _ := contextSessionView(r.Context())
	header := *snapshot.Audience.Snapshot
	header.Expires, header.Never = components.Time{}, false
	return htmlexport.NewRenderer(htmlexport.Options{View: h.loader.Config, Header: &header, Now: h.now})
}

// viewerProblems maps errors to what viewers of shares see. Other errors are internal.
var viewerProblems = []httpProblem{
	{err: errMethod, status: http.StatusMethodNotAllowed, title: "This page is read-only", text: "Nothing can be changed here."},
	{err: errTooManyInvalidLinks, status: http.StatusTooManyRequests, title: "Too many invalid links", text: "Wait a moment, then try again."},
	{err: view.ErrNoEntry, status: http.StatusNotFound, title: "This entry is not in what was shared", text: "It may have been left out, or the link is incomplete."},
	{err: session.ErrNotFound, status: http.StatusNotFound, title: "There is nothing here", text: "The link may be incomplete. Ask the person who sent it for a new one."},
	{err: session.ErrInvalid, status: http.StatusNotFound, title: "There is nothing here", text: "The link may be incomplete. Ask the person who sent it for a new one."},
	{err: session.ErrStale, status: http.StatusConflict, title: "Changed while it was read", text: "Reload the page to see it as it is now."},
	{err: context.DeadlineExceeded, status: http.StatusServiceUnavailable, title: "This took too long", text: "Try again in a moment."},
	{err: live.ErrClosing, status: http.StatusServiceUnavailable, title: "Not available right now", text: "Try again later."},
}

// viewerProblem returns how an error is presented to a viewer.
func (h *viewerHandlers) viewerProblem(r *http.Request, err error) httpProblem {
	if errors.Is(err, share.ErrGone) {
		return endedShareProblem(h.findEndedShare(r))
	}
	for _, p := range viewerProblems {
		if errors.Is(err, p.err) || errors.Is(p.err, live.ErrClosing) && h.ctx.Err() != nil {
			return p
		}
	}
	h.log.Error("request for a share failed", "path", loggablePath(r), "err", err)
	return httpProblem{status: http.StatusInternalServerError, title: internalErrorTitle, text: "Try again, or contact the person who sent the link."}
}

// findEndedShare returns the share of a link that cannot be opened any more.
func (h *viewerHandlers) findEndedShare(r *http.Request) share.Share {
	sh, _ := h.shares.FindByToken(chi.URLParam(r, "token"))
	return sh
}

// endedShareProblem describes a share that cannot be opened any more. A deleted or damaged
// file counts as revoked.
func endedShareProblem(sh share.Share) httpProblem {
	p := httpProblem{status: http.StatusGone, title: "This link has expired", text: "Ask the person who sent it for a new one."}
	if !sh.Revoked.IsZero() || sh.Lost || sh.Damage != "" {
		p.title = "This link was revoked"
	}
	return p
}

// writeViewerError responds to a viewer with an error.
func (h *viewerHandlers) writeViewerError(w http.ResponseWriter, r *http.Request, err error) {
	if r.Context().Err() != nil && errors.Is(err, context.Canceled) {
		return // the client is gone
	}
	p := h.viewerProblem(r, err)
	header := w.Header()
	header.Del("ETag")
	header.Set("Cache-Control", cacheNever)
	if p.status == http.StatusTooManyRequests {
		header.Set("Retry-After", strconv.Itoa(int(auth.InvalidLinkInterval/time.Second)))
	}
	if !wantsHTML(r) {
		writeProblemJSON(w, p, "")
		return
	}
	m := components.ShareErrorModel{Page: h.pageModel(r, p.title), Status: p.status, Title: p.title, Text: p.text}
	m.Live = ""
	if sess, ok := contextSessionView(r.Context()); ok {
		m.Link = &components.Link{Text: "Read it from the beginning", Href: sess.Audience.Base}
	}
	if err := h.renderComponent(w, r, p.status, components.ShareErrorPage(m)); err != nil {
		h.log.Error("error page", "err", err)
		http.Error(w, p.title, p.status)
	}
}
