package web

import (
	"net/http"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"sessiontree/web/static"
)

// routes is every address this server has.
func (s *Server) routes() (http.Handler, error) {
	zip, err := compressed()
	if err != nil {
		return nil, err
	}
	r := chi.NewRouter()
	r.Use(s.limitBodyTime, secure, s.logged, s.recovered, middleware.GetHead, s.checkHost, s.sameOrigin)
	r.NotFound(s.serve(notFound))
	r.MethodNotAllowed(s.serve(func(http.ResponseWriter, *http.Request) error { return errMethod }))

	// Open to strangers: that it is here, and what is public anyway.
	r.Get("/healthz", s.health)
	r.Get("/favicon.ico", favicon)
	r.With(asHandler(zip)).Get("/static/*", static.Handler().ServeHTTP)

	// Open to whoever has a link.
	if s.shares != nil {
		r.Mount("/share", s.readers(asHandler(zip)))
	}

	r.Group(func(r chi.Router) {
		r.Use(s.sameSite, s.guard)
		r.Get("/live", s.serve(s.live))
		r.Group(func(r chi.Router) {
			r.Use(asHandler(zip))
			r.Get("/", s.serve(s.sessions))
			r.Get("/sessions/{key}", s.serve(s.sessionPage))
			r.Get("/sessions/{key}/rows", s.serve(s.rows))
			r.Get("/sessions/{key}/path", s.serve(s.path))
			r.Get("/sessions/{key}/facts", s.serve(s.facts))
			r.Get("/sessions/{key}/news", s.serve(s.news))
			r.Get("/sessions/{key}/search", s.serve(s.search))
			r.Get("/sessions/{key}/export", s.serve(s.exporting))
			r.Get("/sessions/{key}/lines/{line}", s.serve(s.line))
			r.Get("/sessions/{key}/entries/{id}", s.serve(s.entry))
			r.Get("/sessions/{key}/entries/{id}/image/{n}", s.serve(s.image))
		})
		s.changes(r, asHandler(zip))
		s.sharing(r, asHandler(zip))
	})
	return r, nil
}

func asHandler(wrap func(http.Handler) http.HandlerFunc) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler { return wrap(next) }
}

// favicon answers what browsers ask for beside addresses that are no pages.
func favicon(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "private, max-age=86400")
	w.Header().Set("Content-Type", "image/svg+xml")
	http.ServeFileFS(w, r, static.Files(), "img/icon.svg")
}
