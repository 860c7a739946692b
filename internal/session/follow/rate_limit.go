package follow

import (
	"context"
	"sync"
	"time"
)

// Catalog updates and list events are rate limited. After each, they rest for
// restPerWork times its duration, but at least minRestInterval and at most
// maxRestInterval. The first of a burst is handled at once. After an update of the
// catalog that nobody waits for, they rest for at least unseenRestInterval.
const (
	minRestInterval    = 20 * time.Millisecond
	unseenRestInterval = 500 * time.Millisecond
	restPerWork        = 4
	maxRestInterval    = 500 * time.Millisecond
)

// runRateLimited calls fn for every token in c: at once for the first of a burst, then
// after restDuration.
func runRateLimited(ctx context.Context, c <-chan struct{}, least time.Duration, fn func()) {
	var next time.Time
	for {
		select {
		case <-ctx.Done():
			return
		case <-c:
		}
		if waitUntil(ctx, next) != nil {
			return
		}
		select {
		case <-c: // of the same burst
		default:
		}
		began := time.Now()
		fn()
		ended := time.Now()
		next = ended.Add(restDuration(ended.Sub(began), least))
	}
}

// waitUntil waits until a time. It returns the error of ctx if that is done before. It starts
// no timer for a time that has passed.
func waitUntil(ctx context.Context, at time.Time) error {
	wait := time.Until(at)
	if wait <= 0 {
		return ctx.Err()
	}
	t := time.NewTimer(wait)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// restDuration returns how long to wait after a call of the given duration, but at least
// least.
func restDuration(took, least time.Duration) time.Duration {
	return min(max(least, restPerWork*took), maxRestInterval)
}

// trySignal puts a token into c unless c holds one.
func trySignal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// broadcast wakes all goroutines that wait for an event.
type broadcast struct {
	mu sync.Mutex
	c  chan struct{}
}

// waitChannel returns a channel that the next wakeAll closes.
func (b *broadcast) waitChannel() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.c == nil {
		b.c = make(chan struct{})
	}
	return b.c
}

func (b *broadcast) wakeAll() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.c != nil {
		close(b.c)
		b.c = nil
	}
}
