// Package pathlock locks paths, so that work on one file is done by one goroutine at a time.
package pathlock

import "sync"

// Locks are the locks of any number of paths. Only locked paths take memory, and none waits for
// another. The zero value is ready for use.
type Locks struct {
	mu   sync.Mutex
	held map[string]*lock
}

type lock struct {
	mu    sync.Mutex
	users int // that hold it or wait for it
}

// Lock locks a path until unlock is called.
func (l *Locks) Lock(path string) (unlock func()) {
	p := l.use(path)
	p.mu.Lock()
	return func() {
		p.mu.Unlock()
		l.mu.Lock()
		defer l.mu.Unlock()
		if p.users--; p.users == 0 {
			delete(l.held, path)
		}
	}
}

// use returns the lock of a path and counts one more user.
func (l *Locks) use(path string) *lock {
	l.mu.Lock()
	defer l.mu.Unlock()
	p := l.held[path]
	if p == nil {
		if l.held == nil {
			l.held = map[string]*lock{}
		}
		p = &lock{}
		l.held[path] = p
	}
	p.users++
	return p
}
