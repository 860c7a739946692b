package web

import (
	"context"
	"net/http"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// After idleAfter without requests, memory is released. Of the sessions that nobody views,
// the last used are kept, up to idleMemory bytes.
const (
	idleAfter  = 15 * time.Second
	idleMemory = 8 << 20
)

// trackActivity signals the start and the end of each request. A socket counts as one
// request; the sessions it shows stay open anyway.
func (s *Server) trackActivity(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/healthz" { // polled by programs
			next.ServeHTTP(w, r)
			return
		}
		s.NoteActivity()
		defer s.NoteActivity()
		next.ServeHTTP(w, r)
	})
}

// NoteActivity makes the server release memory after the next period without activity.
func (s *Server) NoteActivity() {
	select {
	case s.activity <- struct{}{}:
	default:
	}
}

// runIdleRelease releases memory after each period of activity.
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

// releaseMemory drops everything that can be read or computed again, and returns the memory
// to the system.
func (s *Server) releaseMemory() {
	s.library.TrimMemory(idleMemory)
	s.outlines.cached.Clear()
	s.searches.results.Clear()
	runtime.GC() // pools keep their content for one collection
	debug.FreeOSMemory()
}

// memoryStats returns the figures that /healthz?verbose reports.
func (s *Server) memoryStats() map[string]any {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return map[string]any{
		"heap": m.HeapAlloc, "heapLive": liveHeap(), "goroutines": runtime.NumGoroutine(),
		"sessions": len(s.library.OpenSessions()), "sockets": s.sockets.CountOpen(), "watches": s.countWatches(),
	}
}

// liveHeap returns how many bytes the last collection found in use: the heap without
// what is garbage already.
func liveHeap() uint64 {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	if metrics.Read(live); live[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return live[0].Value.Uint64()
}
