package web

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/go-chi/chi/v5"

	"sessiontree/internal/session"
	"sessiontree/internal/web/appshell"
	"sessiontree/internal/web/auth"
	"sessiontree/internal/web/compress"
	"sessiontree/web/static"
)

// Listeners are what a server listens on.
type Listeners struct {
	Pages, Shares     []net.Listener
	CertFile, KeyFile string // for TLS, "" without
}

// Serve serves on all listeners until ctx ends or one of them fails. It closes the server
// and the listeners.
func (s *Server) Serve(ctx context.Context, ls Listeners) error {
	pages := &http.Server{
		Handler: s.Handler(), ConnContext: s.access.ConnContext,
		ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 5 * time.Minute,
		ErrorLog: slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),
	}
	shares, err := s.newShareServer()
	if err != nil {
		return err
	}
	failed := make(chan error, len(ls.Pages)+len(ls.Shares))
	conns := auth.NewConnLimit(s.access)
	ls.startServing(pages, ls.Pages, conns.LimitListener, failed)
	ls.startServing(shares, ls.Shares, conns.LimitShareListener, failed)
	select {
	case err = <-failed:
	case <-ctx.Done():
	}
	// Close the sockets first: Shutdown does not wait for them, but requests may.
	s.Close()
	stop, cancelShutdown := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancelShutdown()
	for _, one := range []*http.Server{pages, shares} {
		if one.Shutdown(stop) != nil {
			_ = one.Close()
		}
	}
	return err
}

// newShareServer returns the server for shares. Its clients are strangers, so all
// timeouts are set.
func (s *Server) newShareServer() (*http.Server, error) {
	h, err := s.ShareHandler()
	if err != nil {
		return nil, err
	}
	return &http.Server{
		Handler: h, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 30 * time.Second, WriteTimeout: 10 * time.Minute,
		IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 32 << 10,
		ErrorLog: slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),
	}, nil
}

// startServing serves on listeners in the background. limit bounds the number of
// connections.
func (ls Listeners) startServing(srv *http.Server, listeners []net.Listener, limit func(net.Listener) net.Listener, failed chan<- error) {
	for _, l := range listeners {
		l = limit(l)
		go func() {
			if ls.CertFile != "" {
				failed <- srv.ServeTLS(l, ls.CertFile, ls.KeyFile)
				return
			}
			failed <- srv.Serve(l)
		}()
	}
}

// ShareHandler returns the handler for shares on an address of their own. It serves no
// sessions and requires no token.
func (s *Server) ShareHandler() (http.Handler, error) {
	zip, err := compress.NewMiddleware()
	if err != nil {
		return nil, err
	}
	r := chi.NewRouter()
	r.Use(setSecurityHeaders, s.logRequests, s.recoverPanics, routeHeadAsGet, s.checkShareHost)
	r.NotFound(func(w http.ResponseWriter, r *http.Request) { s.viewers.writeViewerError(w, r, session.ErrNotFound) })
	r.MethodNotAllowed(func(w http.ResponseWriter, r *http.Request) { s.viewers.writeViewerError(w, r, errMethod) })
	r.Get("/healthz", s.health.ServeAlive)
	r.Get("/favicon.ico", appshell.ServeFavicon)
	r.With(asMiddleware(zip)).Get("/static/*", static.Handler().ServeHTTP)
	if s.viewers.shares != nil {
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
