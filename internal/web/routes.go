package web

import (
	"context"
	"net/http"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"sessiontree/internal/web/live"
	"sessiontree/web/static"
)

// buildRoutes returns the handler for all addresses of the server.
func (s *Server) buildRoutes() (http.Handler, error) {
	zip, err := newCompressor()
	if err != nil {
		return nil, err
	}
	r := chi.NewRouter()
	r.Use(s.limitBodyTime, setSecurityHeaders, s.logRequests, s.recoverPanics, middleware.GetHead, s.access.CheckHost(s.writeError), s.requireSameOrigin)
	r.NotFound(s.handleErrors(handleNotFound))
	r.MethodNotAllowed(s.handleErrors(func(http.ResponseWriter, *http.Request) error { return errMethod }))

	// Without access control: health and public files.
	r.Get("/healthz", s.serveHealth)
	r.Get("/favicon.ico", serveFavicon)
	r.With(asMiddleware(zip)).Get("/static/*", static.Handler().ServeHTTP)

	// For anybody with a link.
	if s.shares != nil {
		r.Mount("/share", s.shareRoutes(asMiddleware(zip)))
	}

	r.Group(func(r chi.Router) {
		r.Use(s.requireSameSite, s.access.RequireAccess(s.writeError))
		r.Get("/live", s.handleErrors(s.serveSocket))
		r.Group(func(r chi.Router) {
			r.Use(asMiddleware(zip))
			r.Get("/", s.handleErrors(s.showSessionList))
			r.Get("/sessions/{key}", s.handleErrors(s.showSession))
			r.Get("/sessions/{key}/rows", s.handleErrors(s.serveRows))
			r.Get("/sessions/{key}/path", s.handleErrors(s.servePath))
			r.Get("/sessions/{key}/facts", s.handleErrors(s.serveFacts))
			r.Get("/sessions/{key}/news", s.handleErrors(s.serveUpdates))
			r.Get("/sessions/{key}/search", s.handleErrors(s.serveSearch))
			r.Get("/sessions/{key}/export", s.handleErrors(s.serveExport))
			r.Get("/sessions/{key}/lines/{line}", s.handleErrors(s.serveLineByNumber))
			r.Get("/sessions/{key}/entries/{id}", s.handleErrors(s.showEntry))
			r.Get("/sessions/{key}/entries/{id}/image/{n}", s.handleErrors(s.serveImage))
		})
		s.addChangeRoutes(r, asMiddleware(zip))
		s.addShareRoutes(r, asMiddleware(zip))
	})
	return r, nil
}

// socketRoutes returns the handler for requests over a socket: the changes since a notice.
// An HTTP request would take as long as the rest of the update.
func (s *Server) socketRoutes() http.Handler {
	r := chi.NewRouter()
	r.Get("/sessions/{key}/news", s.handleErrors(s.serveUpdates))
	return r
}

// serveSocket serves a socket until either side closes it.
func (s *Server) serveSocket(w http.ResponseWriter, r *http.Request) error {
	return s.sockets.ServeSocket(context.Background(), w, r, live.SocketOptions{Requests: s.socketHandler})
}

func asMiddleware(wrap func(http.Handler) http.HandlerFunc) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler { return wrap(next) }
}

// serveFavicon serves the icon that browsers request for responses other than pages.
func serveFavicon(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "private, max-age=86400")
	w.Header().Set("Content-Type", "image/svg+xml")
	http.ServeFileFS(w, r, static.Files(), "img/icon.svg")
}
