package web

import (
	"net/http"
	"net/url"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"sessiontree/internal/session"
	"sessiontree/web/static"
)

// ShareHandler answers the readers of shares on an address of its own. It knows
// nothing of the sessions they were made of, and asks nobody for a token.
func (s *Server) ShareHandler() (http.Handler, error) {
	zip, err := compressed()
	if err != nil {
		return nil, err
	}
	r := chi.NewRouter()
	r.Use(secure, s.logged, s.recovered, middleware.GetHead, s.checkShareHost)
	r.NotFound(func(w http.ResponseWriter, r *http.Request) { s.failReader(w, r, session.ErrNotFound) })
	r.MethodNotAllowed(func(w http.ResponseWriter, r *http.Request) { s.failReader(w, r, errMethod) })
	r.Get("/healthz", s.alive)
	r.Get("/favicon.ico", favicon)
	r.With(asHandler(zip)).Get("/static/*", static.Handler().ServeHTTP)
	if s.shares != nil {
		r.Mount("/share", s.readers(asHandler(zip)))
	}
	return r, nil
}

// checkShareHost refuses requests for names that are neither that of the links nor
// an address that is listened on.
func (s *Server) checkShareHost(next http.Handler) http.Handler {
	hosts := s.access.hosts
	if u, err := url.Parse(s.shareBase); err == nil && u.Host != "" {
		hosts = append([]string{hostOnly(u.Host)}, hosts...)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !knowsHost(r, hosts) {
			http.Error(w, "unknown host name", http.StatusMisdirectedRequest)
			return
		}
		next.ServeHTTP(w, r)
	})
}
