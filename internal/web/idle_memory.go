package web

import (
	"context"
	"net/http"
	"runtime"
	"runtime/debug"
	"time"
)

// When nobody has asked for anything for idleAfter, memory is given back: of the
// sessions that nobody views those used last are kept, up to idleMemory.
const (
	idleAfter  = 15 * time.Second
	idleMemory = 8 << 20
)

// trackActivity passes requests on and notes when they come and end. A socket is one
// request: what is asked for over it keeps its session open anyway.
func (s *Server) trackActivity(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/healthz" { // asked for by programs, all the time
			next.ServeHTTP(w, r)
			return
		}
		trySignal(s.activity)
		defer trySignal(s.activity)
		next.ServeHTTP(w, r)
	})
}

// runIdleRelease gives memory back after each time of activity.
func (s *Server) runIdleRelease(ctx context.Context, after time.Duration) {
	idle := time.NewTimer(after)
	defer idle.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.activity:
			idle.Reset(after)
		case <-idle.C:
			s.releaseMemory()
		}
	}
}

// releaseMemory drops what can be read or made again, and returns the memory to the system.
func (s *Server) releaseMemory() {
	s.library.TrimMemory(idleMemory)
	s.outlines.cached.Clear()
	s.searches.results.Clear()
	runtime.GC() // pools keep what they hold over one collection
	debug.FreeOSMemory()
}

// memoryStats returns the figures by which an owner sees whether the server is well.
func (s *Server) memoryStats() map[string]any {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return map[string]any{
		"heap": m.HeapAlloc, "sessions": len(s.library.OpenSessions()), "sockets": s.sockets.countRunning(), "watches": s.countWatches(),
	}
}
