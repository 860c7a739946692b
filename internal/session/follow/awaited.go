package follow

import (
	"context"
	"sync"

	"sessiontree/internal/session/store"
)

// Waiter is notified when a session appears.
type Waiter interface {
	SessionFound(key string, sess *store.Session)
}

// awaitedSessions holds the keys of sessions that were not found and those who wait for
// them. Nobody holds such a session open, so no change of it would be reported.
type awaitedSessions struct {
	mu      sync.Mutex
	waiting map[awaitedSession]struct{}
	wake    chan struct{} // holds a token while a session may have appeared
}

type awaitedSession struct {
	key    string
	waiter Waiter
}

// AwaitSession notifies w when the session of a key can be opened; an event follows.
func (f *Follower) AwaitSession(key string, w Waiter) {
	a := &f.awaited
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.waiting == nil {
		a.waiting = map[awaitedSession]struct{}{}
	}
	a.waiting[awaitedSession{key, w}] = struct{}{}
	trySignal(a.wake) // the session may have appeared since it was looked up
}

// StopAwaiting reverses AwaitSession.
func (f *Follower) StopAwaiting(key string, w Waiter) {
	a := &f.awaited
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.waiting, awaitedSession{key, w})
}

// keys returns the keys that somebody waits for.
func (a *awaitedSessions) keys() map[string]struct{} {
	a.mu.Lock()
	defer a.mu.Unlock()
	keys := map[string]struct{}{}
	for one := range a.waiting {
		keys[one.key] = struct{}{}
	}
	return keys
}

// takeWaiters removes and returns those who wait for a key.
func (a *awaitedSessions) takeWaiters(key string) (ws []Waiter) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for one := range a.waiting {
		if one.key == key {
			ws = append(ws, one.waiter)
			delete(a.waiting, one)
		}
	}
	return ws
}

// runAwaitedSessions opens awaited sessions as they appear.
func (f *Follower) runAwaitedSessions(ctx context.Context) {
	runRateLimited(ctx, f.awaited.wake, minRestInterval, func() {
		for key := range f.awaited.keys() {
			f.openAwaited(ctx, key)
		}
	})
}

// openAwaited opens an awaited session if the catalog has it by now, and notifies those who
// wait. If it cannot be opened yet, the next change of the list triggers another try.
func (f *Follower) openAwaited(ctx context.Context, key string) {
	if _, ok := f.catalog.FindByKey(key); !ok {
		return
	}
	sess, err := f.OpenSession(ctx, key, f.FindDeadline())
	if err != nil {
		f.log.Debug("still away", "key", key, "err", err)
		return
	}
	for _, w := range f.awaited.takeWaiters(key) {
		w.SessionFound(key, sess)
	}
	e, _ := StateSince(sess, SessionTopic(key), "")
	f.publishEvent(e)
}
