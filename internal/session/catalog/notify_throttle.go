package catalog

import (
	"hash/maphash"
	"sync"
	"time"
)

// notifyInterval is the minimum time between two notifications.
const notifyInterval = 20 * time.Millisecond

// notifyThrottle limits notifications about changes of the list: the first one is
// immediate, later ones are at least notifyInterval apart.
type notifyThrottle struct {
	notify func() // may be nil

	mu     sync.Mutex
	timer  *time.Timer // runs during an interval
	missed bool        // there was a change in the interval
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

// endInterval ends an interval.
func (t *notifyThrottle) endInterval() {
	t.mu.Lock()
	missed := t.missed
	t.timer, t.missed = nil, false
	t.mu.Unlock()
	if missed {
		t.noteListChange()
	}
}

// pathLocks serializes updates of a path.
type pathLocks struct {
	seed  sync.Once
	hash  maphash.Seed
	locks [64]sync.Mutex
}

func (t *pathLocks) lockFor(path string) *sync.Mutex {
	t.seed.Do(func() { t.hash = maphash.MakeSeed() })
	return &t.locks[maphash.String(t.hash, path)%uint64(len(t.locks))]
}
