package web

import "sync"

// taskGroup counts what goes on outside of the reach of http.Server.Shutdown, and
// lets nothing new begin once it is shut. A WaitGroup alone may not be added to
// while somebody waits.
type taskGroup struct {
	mu      sync.Mutex
	closed  bool
	running int // inside
	wg      sync.WaitGroup
}

// tryStart reports whether one more may begin; who was let in calls done.
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

// countRunning returns how many are inside.
func (g *taskGroup) countRunning() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.running
}

// closeAndWait lets nobody in any more and waits for those inside.
func (g *taskGroup) closeAndWait() {
	g.mu.Lock()
	g.closed = true
	g.mu.Unlock()
	g.wg.Wait()
}
