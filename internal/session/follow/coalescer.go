package follow

import "sync"

// coalescer runs at most one goroutine per path. Requests during a run cause one more run.
// The zero value is ready to use.
type coalescer struct {
	mu      sync.Mutex
	rerun   map[string]bool // paths with a running goroutine; true: run once more
	closed  bool
	running sync.WaitGroup
}

// runCoalesced runs work for a path in a goroutine, unless c is closed. It does not block.
func (t *coalescer) runCoalesced(path string, work func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, busy := t.rerun[path]; busy {
		t.rerun[path] = true
		return
	}
	if t.closed {
		return
	}
	if t.rerun == nil {
		t.rerun = map[string]bool{}
	}
	t.rerun[path] = false
	t.running.Go(func() {
		for work(); t.takeRerun(path); {
			work()
		}
	})
}

// closeAndWait prevents further goroutines from starting and waits for those that run.
func (t *coalescer) closeAndWait() {
	t.mu.Lock()
	t.closed = true
	t.mu.Unlock()
	t.running.Wait()
}

// takeRerun reports whether the work for a path has to run once more. Otherwise the path is
// no longer running.
func (t *coalescer) takeRerun(path string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.rerun[path] {
		t.rerun[path] = false
		return true
	}
	delete(t.rerun, path)
	return false
}
