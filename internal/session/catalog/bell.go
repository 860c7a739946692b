package catalog

import (
	"hash/maphash"
	"sync"
	"time"
)

// pause is the least time between two rings of the bell.
const pause = 50 * time.Millisecond

// bell tells that the list changed: at once, and then at most once a pause while
// changes go on.
type bell struct {
	ring func() // may be nil

	mu     sync.Mutex
	quiet  *time.Timer // runs while a pause lasts
	missed bool        // there was a change in the pause
}

func (b *bell) change() {
	if b.ring == nil {
		return
	}
	b.mu.Lock()
	if b.quiet != nil {
		b.missed = true
		b.mu.Unlock()
		return
	}
	b.quiet = time.AfterFunc(pause, b.over)
	b.mu.Unlock()
	b.ring()
}

// over ends a pause.
func (b *bell) over() {
	b.mu.Lock()
	missed := b.missed
	b.quiet, b.missed = nil, false
	b.mu.Unlock()
	if missed {
		b.change()
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
