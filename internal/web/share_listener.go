package web

import (
	"net/http"
	"net/url"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"sessiontree/internal/session"
	"sessiontree/web/static"
)

// ShareHandler returns the handler for shares on an address of their own. It serves no
// sessions and requires no token.
func (s *Server) ShareHandler() (http.Handler, error) {
	zip, err := newCompressor()
	if err != nil {
		return nil, err
	}
	r := chi.NewRouter()
	r.Use(setSecurityHeaders, s.logRequests, s.recoverPanics, middleware.GetHead, s.checkShareHost)
	r.NotFound(func(w http.ResponseWriter, r *http.Request) { s.writeViewerError(w, r, session.ErrNotFound) })
	r.MethodNotAllowed(func(w http.ResponseWriter, r *http.Request) { s.writeViewerError(w, r, errMethod) })
	r.Get("/healthz", s.serveAlive)
	r.Get("/favicon.ico", serveFavicon)
	r.With(asMiddleware(zip)).Get("/static/*", static.Handler().ServeHTTP)
	if s.shares != nil {
		r.Mount("/share", s.shareRoutes(asMiddleware(zip)))
	}
	return r, nil
}

// checkShareHost refuses requests for names other than that of the links or the address
// that the server listens on.
func (s *Server) checkShareHost(next http.Handler) http.Handler {
	var names []string
	if u, err := url.Parse(s.shareBase); err == nil && u.Host != "" {
		names = []string{u.Hostname()}
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !s.access.AllowsHost(r, names...) {
			http.Error(w, "unknown host name", http.StatusMisdirectedRequest)
			return
		}
		next.ServeHTTP(w, r)
	})
}
