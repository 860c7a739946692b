package follow

import (
	"sync"
	"time"
)

// repeatDelay is when a path is refreshed once more whose state was not reported: a line that
// is being written is complete by then, or it stays as it is and is shown.
const repeatDelay = 50 * time.Millisecond

// repeats holds a timer for each path that will be refreshed once more. The zero value is
// ready to use.
type repeats struct {
	mu     sync.Mutex
	timers map[string]*time.Timer
	closed bool
}

// schedule calls fn after repeatDelay, once for all calls for a path until then.
func (r *repeats) schedule(path string, fn func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed || r.timers[path] != nil {
		return
	}
	if r.timers == nil {
		r.timers = map[string]*time.Timer{}
	}
	r.timers[path] = time.AfterFunc(repeatDelay, func() {
		r.mu.Lock()
		delete(r.timers, path)
		closed := r.closed
		r.mu.Unlock()
		if !closed {
			fn()
		}
	})
}

// close prevents further calls.
func (r *repeats) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	for _, t := range r.timers {
		t.Stop()
	}
}
