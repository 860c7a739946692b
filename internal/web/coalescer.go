package web

import "sync"

// coalescer lets one goroutine at a time work on each of several paths, and once more
// when it is asked to meanwhile.
type coalescer struct {
	mu    sync.Mutex
	rerun map[string]bool // paths that are worked on; true: once more
}

// runCoalesced has work done on a path, by a goroutine that the gate counts. It does not
// block.
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

// takeRerun reports whether a path is to be worked on once more, and ends its turn when
// it is not.
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
