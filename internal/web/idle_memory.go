package web

import (
	"context"
	"net/http"
	"sync/atomic"
	"time"

	"sessiontree/internal/heap"
)

// After idleAfter without requests, memory is released. Of the sessions that nobody views,
// the last used are kept, up to idleMemory bytes, and of rendered texts idleRendered bytes.
const (
	idleAfter                = 15 * time.Second
	idleMemory, idleRendered = 8 << 20, 1 << 20
)

// memoryReleaser releases the memory of an idle server.
type memoryReleaser struct {
	*sessionSource
	activity chan struct{} // holds a token after a request
	last     atomic.Int64  // time of the last activity, in ns since 1970
}

// trackActivity signals the start and the end of each request. A socket counts as one
// request; the sessions it shows stay open anyway.
func (m *memoryReleaser) trackActivity(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/healthz" { // polled by programs
			m.noteActivity()
			defer m.noteActivity()
		}
		next.ServeHTTP(w, r)
	})
}

// noteActivity makes the server release memory after the next period without activity.
func (m *memoryReleaser) noteActivity() {
	m.last.Store(time.Now().UnixNano())
	select {
	case m.activity <- struct{}{}:
	default:
	}
}

// runIdleRelease releases memory after each period of activity.
func (m *memoryReleaser) runIdleRelease(ctx context.Context, after time.Duration) {
	idle := time.NewTimer(after)
	defer idle.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-m.activity:
			heap.UseHugePages()
			idle.Reset(after)
		case <-idle.C:
			m.releaseMemory()
		}
	}
}

// releaseMemory drops everything that can be read or computed again, and returns the memory
// to the system.
func (m *memoryReleaser) releaseMemory() {
	m.library.TrimMemory(idleMemory)
	m.outlines.cached.Clear()
	m.searches.Clear()
	m.loader.Renderer.TrimCache(idleRendered)
	heap.ReleaseMemory()
}
