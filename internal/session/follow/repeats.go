package follow

import (
	"sync"
	"time"
)

// repeatDelay is when a path is refreshed once more whose state was not reported: a line that
// is being written is complete by then, or it stays as it is and is shown.
const repeatDelay = 50 * time.Millisecond

// repeats are the paths that will be refreshed once more. The zero value is ready to use.
type repeats struct {
	mu  sync.Mutex
	due map[string]bool
}

// schedule calls fn after repeatDelay, once for all calls for a path until then.
func (r *repeats) schedule(path string, fn func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.due[path] {
		return
	}
	if r.due == nil {
		r.due = map[string]bool{}
	}
	r.due[path] = true
	time.AfterFunc(repeatDelay, func() {
		r.mu.Lock()
		delete(r.due, path)
		r.mu.Unlock()
		fn()
	})
}
