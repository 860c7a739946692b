package hub

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"time"
)

// hostName returns a host without its port.
func hostName(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		return name
	}
	return host
}

// retentionInterval is how often sessions are looked for that are older than their project
// keeps them.
const retentionInterval = time.Hour

// Serve serves on a listener until ctx ends or it fails, over TLS if there is a certificate.
// It closes the server and the listener.
func (s *Server) Serve(ctx context.Context, l net.Listener, certFile, keyFile string) error {
	srv := &http.Server{
		Handler: s.Handler(), ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 5 * time.Minute, MaxHeaderBytes: 64 << 10,
		ErrorLog: slog.NewLogLogger(s.config.Log.Handler(), slog.LevelDebug),
	}
	failed := make(chan error, 1)
	go func() {
		if certFile != "" {
			failed <- srv.ServeTLS(l, certFile, keyFile)
			return
		}
		failed <- srv.Serve(l)
	}()
	s.running.Go(s.deleteExpiredHourly)
	var err error
	select {
	case err = <-failed:
	case <-ctx.Done():
	}
	s.Close() // first the sockets: Shutdown does not wait for them
	stop, cancel := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancel()
	if srv.Shutdown(stop) != nil {
		_ = srv.Close()
	}
	return err
}

// deleteExpiredHourly deletes sessions that are older than their project keeps them, and what
// deletions left that were interrupted, now and every hour.
func (s *Server) deleteExpiredHourly() {
	every := time.NewTicker(retentionInterval)
	defer every.Stop()
	for {
		if err := s.config.Hub.DeleteExpired(s.ctx); err != nil && s.ctx.Err() == nil {
			s.config.Log.Error("expired sessions cannot be deleted", "err", err)
		}
		if err := s.config.Hub.PurgeUnknown(s.ctx); err != nil && s.ctx.Err() == nil {
			s.config.Log.Error("the bytes of deleted sessions cannot be deleted", "err", err)
		}
		select {
		case <-every.C:
		case <-s.ctx.Done():
			return
		}
	}
}
