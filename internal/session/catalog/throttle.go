package catalog

import (
	"hash/maphash"
	"sync"
	"time"
)

// pause is the least time between two calls that tell of changes.
const pause = 20 * time.Millisecond

// throttle tells that the list changed: at once, and then at most once a pause
// while changes go on.
type throttle struct {
	tell func() // may be nil

	mu     sync.Mutex
	quiet  *time.Timer // runs while a pause lasts
	missed bool        // there was a change in the pause
}

func (t *throttle) note() {
	if t.tell == nil {
		return
	}
	t.mu.Lock()
	if t.quiet != nil {
		t.missed = true
		t.mu.Unlock()
		return
	}
	t.quiet = time.AfterFunc(pause, t.over)
	t.mu.Unlock()
	t.tell()
}

// over ends a pause.
func (t *throttle) over() {
	t.mu.Lock()
	missed := t.missed
	t.quiet, t.missed = nil, false
	t.mu.Unlock()
	if missed {
		t.note()
	}
}

// turns lets one goroutine at a time bring a path up to date.
type turns struct {
	seed  sync.Once
	hash  maphash.Seed
	locks [64]sync.Mutex
}

func (t *turns) of(path string) *sync.Mutex {
	t.seed.Do(func() { t.hash = maphash.MakeSeed() })
	return &t.locks[maphash.String(t.hash, path)%uint64(len(t.locks))]
}
