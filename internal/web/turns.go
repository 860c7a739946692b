package web

import "sync"

// turns lets one goroutine at a time work on each of several paths, and once more
// when it is asked to meanwhile.
type turns struct {
	mu    sync.Mutex
	again map[string]bool // paths that are worked on; true: once more
}

// take has work done on a path, by a goroutine that the gate counts. It does not
// block.
func (t *turns) take(path string, g *gate, work func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, busy := t.again[path]; busy {
		t.again[path] = true
		return
	}
	if !g.add() {
		return
	}
	if t.again == nil {
		t.again = map[string]bool{}
	}
	t.again[path] = false
	go func() {
		defer g.done()
		for work(); t.more(path); {
			work()
		}
	}()
}

// more reports whether a path is to be worked on once more, and ends its turn when
// it is not.
func (t *turns) more(path string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.again[path] {
		t.again[path] = false
		return true
	}
	delete(t.again, path)
	return false
}
