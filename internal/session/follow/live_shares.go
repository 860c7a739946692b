package follow

import (
	"context"
	"sync"
	"time"

	"sessiontree/internal/session/share"
	"sessiontree/internal/session/store"
)

// shareCheckInterval is how often shares are checked without a trigger: they expire, and
// other programs may change them.
const shareCheckInterval = 10 * time.Second

// liveShares updates live shares from their sessions. It keeps these sessions open and
// watched.
type liveShares struct {
	f      *Follower
	shares *share.Shares
	wake   chan struct{} // holds a token while shares may have changed

	updates coalescer // running updates, by path

	mu   sync.Mutex
	held map[string]HeldSession // by path
}

func newLiveShares(f *Follower, shares *share.Shares) *liveShares {
	return &liveShares{f: f, shares: shares, wake: make(chan struct{}, 1), held: map[string]HeldSession{}}
}

// CheckShares makes the Follower check the shares after one was created or ended. It does
// not block.
func (f *Follower) CheckShares() {
	if f.shares != nil {
		trySignal(f.shares.wake)
	}
}

// runUpdates checks shares until ctx ends. Each check publishes an event, because shares
// also expire.
func (k *liveShares) runUpdates(ctx context.Context) {
	tick := time.NewTicker(shareCheckInterval)
	defer tick.Stop()
	defer k.releaseUnwanted(nil)
	for {
		k.f.publishEvent(Event{Topic: SharesTopic})
		k.holdSharedSessions(ctx)
		select {
		case <-ctx.Done():
			return
		case <-k.wake:
		case <-tick.C:
		}
	}
}

// holdSharedSessions opens the sessions of live shares and releases others. It tries again
// later if one cannot be opened.
func (k *liveShares) holdSharedSessions(ctx context.Context) {
	want := map[string]bool{}
	for _, path := range k.shares.LivePaths() {
		want[path] = true
	}
	k.releaseUnwanted(want)
	for path := range want {
		if k.isHolding(path) {
			continue
		}
		sess, err := k.f.library.Open(ctx, path)
		if sess == nil {
			k.f.log.Debug("a live share cannot follow", "path", path, "err", err)
			continue
		}
		held := k.f.HoldSession(sess)
		k.mu.Lock()
		k.held[path] = held
		k.mu.Unlock()
		k.queueUpdate(sess) // it may have grown while it was not held
	}
}

func (k *liveShares) isHolding(path string) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	_, ok := k.held[path]
	return ok
}

// releaseUnwanted releases the sessions that are not wanted.
func (k *liveShares) releaseUnwanted(want map[string]bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for path, h := range k.held {
		if !want[path] {
			h.Release()
			delete(k.held, path)
		}
	}
}

// queueUpdate handles a change of a session. It does not block: one goroutine per session
// updates the shares.
func (k *liveShares) queueUpdate(sess *store.Session) {
	if path := sess.Path(); k.isHolding(path) {
		k.updates.runCoalesced(path, func() {
			k.shares.UpdateLive(k.f.ctx, sess)
			trySignal(k.wake) // UpdateLive revokes shares that it cannot update
		})
	}
}
