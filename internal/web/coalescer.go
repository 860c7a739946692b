package web

import "sync"

// coalescer runs at most one goroutine per path. Requests during a run cause one more run.
type coalescer struct {
	mu    sync.Mutex
	rerun map[string]bool // paths with a running goroutine; true: run once more
}

// runCoalesced runs work for a path in a goroutine of the task group. It does not block.
func (t *coalescer) runCoalesced(path string, g *taskGroup, work func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, busy := t.rerun[path]; busy {
		t.rerun[path] = true
		return
	}
	if !g.tryStart() {
		return
	}
	if t.rerun == nil {
		t.rerun = map[string]bool{}
	}
	t.rerun[path] = false
	go func() {
		defer g.finishTask()
		for work(); t.takeRerun(path); {
			work()
		}
	}()
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
