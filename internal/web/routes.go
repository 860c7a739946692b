package web

import (
	"context"
	"net/http"

	"github.com/go-chi/chi/v5"

	"sessiontree/internal/session"
	"sessiontree/internal/web/appshell"
	"sessiontree/internal/web/compress"
	"sessiontree/internal/web/live"
	"sessiontree/web/static"
)

// buildRoutes returns the handler for all addresses of the server.
func (s *Server) buildRoutes() (chi.Router, error) {
	zip, err := compress.NewMiddleware()
	if err != nil {
		return nil, err
	}
	r := chi.NewRouter()
	r.Use(limitBodyTime(s.bodyTimeout), setSecurityHeaders, s.logRequests, s.recoverPanics, routeHeadAsGet, s.access.CheckHost(s.writeError), requireSameOrigin)
	r.NotFound(s.handleErrors(handleNotFound))
	r.MethodNotAllowed(s.handleErrors(func(http.ResponseWriter, *http.Request) error { return errMethod }))

	// Without access control: health and public files.
	r.Get("/healthz", s.health.ServeHealth)
	appshell.AddRoutes(r)
	r.With(asMiddleware(zip)).Get("/static/*", static.Handler().ServeHTTP)

	if s.team != nil {
		s.team.AddPublicRoutes(r)
	}

	// For anybody with a link.
	if s.viewers.shares != nil {
		r.Mount("/share", s.shareRoutes(asMiddleware(zip)))
	}

	r.Group(func(r chi.Router) {
		r.Use(requireSameSite, s.access.RequireAccess(s.writeError))
		r.Get("/live", s.handleErrors(s.serveSocket))
		r.Get("/search/stream", s.handleErrors(s.search.StreamResults)) // a compressor would delay results
		r.Group(func(r chi.Router) {
			r.Use(asMiddleware(zip))
			if s.team != nil {
				s.team.AddRoutes(r)
			} else {
				r.Get("/", s.handleErrors(s.list.showSessionList))
			}
			r.Get("/now", s.handleErrors(s.nowPage.ShowPage))
			r.Get("/search", s.handleErrors(s.search.ShowPage))
			r.Get("/spend", s.handleErrors(s.spend.ShowPage))
			r.Get("/spend.csv", s.handleErrors(s.spend.ServeCSV))
			r.Get("/files", s.handleErrors(s.files.ShowFile))
			r.Get("/search/session/{key}", s.handleErrors(s.search.ShowSessionHits))
			r.Get("/keep", s.handleErrors(s.keep.ShowDialog))
			r.Get("/palette", s.handleErrors(s.list.servePaletteChoices))
			s.addSessionRoutes(r)
		})
		r.Post("/sessions/{key}/visit", s.handleErrors(s.visits.ServeVisit))
		r.Post("/sessions/{key}/star", s.handleErrors(s.visits.ServeStar))
		r.Post("/sessions/{key}/unread", s.handleErrors(s.visits.ServeUnread))
		r.Get("/sessions/{key}/hits", s.handleErrors(s.sessions.serveHits)) // streamed, so not compressed
		r.With(s.dialogs.requireWritable).Post("/keep", s.handleErrors(s.keep.Submit))
		s.addChangeRoutes(r, asMiddleware(zip))
		s.addShareRoutes(r, asMiddleware(zip))
	})
	return r, nil
}

// addSessionRoutes adds the routes that show a session.
func (s *Server) addSessionRoutes(r chi.Router) {
	r.Get("/sessions/{key}", s.visits.WithVisit(s.handleErrors(s.sessions.showSession)))
	r.Get("/sessions/{key}/ahead", s.handleErrors(s.readAhead.serveReadAhead))
	r.Get("/sessions/{key}/rows", s.handleErrors(s.sessions.serveRows))
	r.Get("/sessions/{key}/path", s.handleErrors(s.sessions.servePath))
	r.Get("/sessions/{key}/facts", s.handleErrors(s.sessions.serveFacts))
	r.Get("/sessions/{key}/news", s.handleErrors(s.sessions.serveUpdates))
	r.Get("/sessions/{key}/branches", s.handleErrors(s.sessions.showBranches))
	r.Get("/sessions/{key}/compare", s.handleErrors(s.sessions.showComparison))
	r.Get("/sessions/{key}/context", s.handleErrors(s.sessions.showContext))
	r.Get("/sessions/{key}/files", s.handleErrors(s.files.ShowSessionFiles))
	r.Get("/sessions/{key}/map", s.handleErrors(s.sessions.showMap))
	r.Get("/sessions/{key}/export", s.handleErrors(s.dialogs.serveExport))
	r.Get("/sessions/{key}/lines/{line}", s.handleErrors(s.raw.serveLineByNumber))
	r.Get("/sessions/{key}/entries/{id}", s.handleErrors(s.sessions.showEntry))
	r.Get("/sessions/{key}/entries/{id}/image/{n}", s.handleErrors(s.raw.serveImage))
}

// socketRoutes returns the handler for requests over a socket: the changes since a notice.
// An HTTP request would take as long as the rest of the update.
func (s *Server) socketRoutes() http.Handler {
	r := chi.NewRouter()
	r.Get("/sessions/{key}/news", s.handleErrors(s.sessions.serveUpdates))
	return r
}

// serveSocket serves a socket until either side closes it.
func (s *Server) serveSocket(w http.ResponseWriter, r *http.Request) error {
	return s.sockets.ServeSocket(context.Background(), w, r, live.SocketOptions{Requests: s.socketHandler})
}

// addChangeRoutes adds the routes that change sessions. Responses to GET are compressed;
// those to POST may be streamed and are not.
func (s *Server) addChangeRoutes(r chi.Router, zip func(http.Handler) http.Handler) {
	r.Group(func(r chi.Router) {
		r.Use(zip)
		for _, a := range changeActions {
			r.Get("/sessions/{key}/"+a.name, s.handleErrors(s.dialogs.showChangeDialog(a)))
		}
		r.Get("/sessions/{key}/actions", s.handleErrors(s.dialogs.showEntryActions))
	})
	r.Group(func(r chi.Router) {
		r.Use(s.dialogs.requireWritable)
		for _, a := range changeActions {
			r.Post("/sessions/{key}/"+a.name, s.handleErrors(s.dialogs.submitChange(a)))
		}
	})
}

// addShareRoutes adds the routes to create, list and revoke shares. The shares themselves
// are served by shareRoutes.
func (s *Server) addShareRoutes(r chi.Router, zip func(http.Handler) http.Handler) {
	if s.viewers.shares == nil {
		off := s.handleErrors(func(http.ResponseWriter, *http.Request) error { return errNoShares })
		r.Handle("/sessions/{key}/shares", off)
		r.Handle("/shares", off)
		return
	}
	r.Group(func(r chi.Router) {
		r.Use(zip)
		r.Get("/sessions/{key}/shares", s.handleErrors(s.shares.showShareForm))
		r.Get("/shares", s.handleErrors(s.shares.showShares))
	})
	r.Group(func(r chi.Router) {
		r.Use(s.dialogs.requireWritable)
		r.Post("/sessions/{key}/shares", s.handleErrors(s.shares.submitShare))
		r.Post("/shares/{id}/revoke", s.handleErrors(s.shares.endShare(s.viewers.shares.Revoke, "The link is revoked.")))
		r.Post("/shares/{id}/forget", s.handleErrors(s.shares.endShare(s.viewers.shares.Forget, "The link is off the list.")))
	})
}

// shareRoutes returns the handler for addresses below /share. It serves snapshots through
// the handlers for sessions, and nothing else.
func (s *Server) shareRoutes(zip func(http.Handler) http.Handler) http.Handler {
	r := chi.NewRouter()
	r.Use(setShareHeaders)
	r.NotFound(func(w http.ResponseWriter, r *http.Request) { s.viewers.writeViewerError(w, r, session.ErrNotFound) })
	r.MethodNotAllowed(func(w http.ResponseWriter, r *http.Request) { s.viewers.writeViewerError(w, r, errMethod) })
	r.With(s.viewers.withOpenShare).Get("/{token}/live", s.viewers.handleViewerErrors(s.viewers.serveShareSocket))
	r.With(s.viewers.withOpenShare).Get("/{token}/hits", s.viewers.handleViewerErrors(s.sessions.serveHits))
	r.Group(func(r chi.Router) {
		r.Use(zip, s.viewers.withOpenShare)
		r.Get("/{token}", s.viewers.handleViewerErrors(s.viewers.showShare))
		r.Get("/{token}/rows", s.viewers.handleViewerErrors(s.sessions.serveRows))
		r.Get("/{token}/path", s.viewers.handleViewerErrors(s.sessions.servePath))
		r.Get("/{token}/facts", s.viewers.handleViewerErrors(s.sessions.serveFacts))
		r.Get("/{token}/news", s.viewers.handleViewerErrors(s.sessions.serveUpdates))
		r.Get("/{token}/lines/{line}", s.viewers.handleViewerErrors(s.raw.serveLineByNumber))
		r.Get("/{token}/entries/{id}", s.viewers.handleViewerErrors(s.sessions.showEntry))
		r.Get("/{token}/entries/{id}/image/{n}", s.viewers.handleViewerErrors(s.raw.serveImage))
		r.Get("/{token}/download", s.viewers.handleViewerErrors(s.viewers.serveShareFile))
	})
	return r
}

func asMiddleware(wrap func(http.Handler) http.HandlerFunc) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler { return wrap(next) }
}
