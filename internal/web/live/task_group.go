package live

import "sync"

// taskGroup counts tasks that http.Server.Shutdown does not wait for, and starts none once
// it is closed. A WaitGroup alone must not be added to while it is waited for.
type taskGroup struct {
	mu      sync.Mutex
	closed  bool
	running int // number of running tasks
	wg      sync.WaitGroup
}

// tryStart reports whether another task may start. The caller must call finishTask if
// so.
func (g *taskGroup) tryStart() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return false
	}
	g.wg.Add(1)
	g.running++
	return true
}

func (g *taskGroup) finishTask() {
	g.mu.Lock()
	g.running--
	g.mu.Unlock()
	g.wg.Done()
}

// countRunning returns the number of running tasks.
func (g *taskGroup) countRunning() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.running
}

// closeAndWait prevents further tasks from starting and waits for those that run.
func (g *taskGroup) closeAndWait() {
	g.mu.Lock()
	g.closed = true
	g.mu.Unlock()
	g.wg.Wait()
}
