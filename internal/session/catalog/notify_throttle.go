package catalog

import (
	"hash/maphash"
	"sync"
	"time"
)

// notifyInterval is the least time between two calls that tell of changes.
const notifyInterval = 20 * time.Millisecond

// notifyThrottle tells that the list changed: at once, and then at most once a pause
// while changes go on.
type notifyThrottle struct {
	notify func() // may be nil

	mu     sync.Mutex
	timer  *time.Timer // runs while a pause lasts
	missed bool        // there was a change in the pause
}

func (t *notifyThrottle) noteListChange() {
	if t.notify == nil {
		return
	}
	t.mu.Lock()
	if t.timer != nil {
		t.missed = true
		t.mu.Unlock()
		return
	}
	t.timer = time.AfterFunc(notifyInterval, t.endInterval)
	t.mu.Unlock()
	t.notify()
}

// endInterval ends a pause.
func (t *notifyThrottle) endInterval() {
	t.mu.Lock()
	missed := t.missed
	t.timer, t.missed = nil, false
	t.mu.Unlock()
	if missed {
		t.noteListChange()
	}
}

// pathLocks lets one goroutine at a time bring a path up to date.
type pathLocks struct {
	seed  sync.Once
	hash  maphash.Seed
	locks [64]sync.Mutex
}

func (t *pathLocks) lockFor(path string) *sync.Mutex {
	t.seed.Do(func() { t.hash = maphash.MakeSeed() })
	return &t.locks[maphash.String(t.hash, path)%uint64(len(t.locks))]
}
