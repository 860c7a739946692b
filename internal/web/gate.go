package web

import "sync"

// gate counts what goes on outside of the reach of http.Server.Shutdown, and
// lets nothing new begin once it is shut. A WaitGroup alone may not be added to
// while somebody waits.
type gate struct {
	mu   sync.Mutex
	shut bool
	n    int // inside
	wg   sync.WaitGroup
}

// add reports whether one more may begin; who was let in calls done.
func (g *gate) add() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.shut {
		return false
	}
	g.wg.Add(1)
	g.n++
	return true
}

func (g *gate) done() {
	g.mu.Lock()
	g.n--
	g.mu.Unlock()
	g.wg.Done()
}

// count returns how many are inside.
func (g *gate) count() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.n
}

// close lets nobody in any more and waits for those inside.
func (g *gate) close() {
	g.mu.Lock()
	g.shut = true
	g.mu.Unlock()
	g.wg.Wait()
}
