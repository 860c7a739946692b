package web

import (
	"context"
	"sync"
	"time"

	"sessiontree/internal/session/share"
	"sessiontree/internal/session/store"
)

// shareCheckInterval is how often shares are looked at when nothing calls for it: they end by
// themselves, and another program may change them.
const shareCheckInterval = 10 * time.Second

// shareUpdater lets live shares follow the sessions that they were made of: it holds
// those open and watched, whoever else looks at them, and ends the sockets of
// readers with their shares.
type shareUpdater struct {
	s    *Server
	wake chan struct{} // holds a token while shares may have changed

	updates coalescer // paths being followed

	mu            sync.Mutex
	heldSessions  map[string]heldSession      // by path
	viewerSockets topicMembers[*viewerSocket] // by the id of the share
}

// viewerSocket is a socket of somebody who reads a share.
type viewerSocket struct{ cancel context.CancelFunc }

func newShareUpdater(s *Server) *shareUpdater {
	return &shareUpdater{s: s, wake: make(chan struct{}, 1), heldSessions: map[string]heldSession{}, viewerSockets: topicMembers[*viewerSocket]{}}
}

// checkShares takes in that a share was made or ended. It does not block.
func (k *shareUpdater) checkShares() { trySignal(k.wake) }

// runUpdates looks after shares until ctx ends.
func (k *shareUpdater) runUpdates(ctx context.Context) {
	tick := time.NewTicker(shareCheckInterval)
	defer tick.Stop()
	defer k.releaseUnwanted(nil)
	for {
		k.closeEndedSockets()
		k.holdSharedSessions(ctx)
		select {
		case <-ctx.Done():
			return
		case <-k.wake:
		case <-tick.C:
		}
	}
}

// holdSharedSessions opens the sessions of live shares and lets go of others. One that cannot be
// opened is tried again later.
func (k *shareUpdater) holdSharedSessions(ctx context.Context) {
	want := map[string]bool{}
	for _, path := range k.s.shares.LivePaths() {
		want[path] = true
	}
	k.releaseUnwanted(want)
	for path := range want {
		if k.isHolding(path) {
			continue
		}
		sess, err := k.s.library.Open(ctx, path)
		if sess == nil {
			k.s.log.Debug("a live share cannot follow", "path", path, "err", err)
			continue
		}
		unview := k.s.watch(path)
		k.mu.Lock()
		k.heldSessions[path] = heldSession{sess, unview}
		k.mu.Unlock()
		k.queueUpdate(sess) // it may have, while nobody held it
	}
}

func (k *shareUpdater) isHolding(path string) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	_, ok := k.heldSessions[path]
	return ok
}

// releaseUnwanted lets go of the sessions that are not wanted.
func (k *shareUpdater) releaseUnwanted(want map[string]bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for path, h := range k.heldSessions {
		if !want[path] {
			h.stopWatching()
			delete(k.heldSessions, path)
		}
	}
}

// queueUpdate takes in that a session changed. It does not block: the work is done by a
// goroutine of the session, one at a time.
func (k *shareUpdater) queueUpdate(sess *store.Session) {
	if path := sess.Path(); k.isHolding(path) {
		k.updates.runCoalesced(path, &k.s.work, func() {
			k.s.shares.UpdateLive(k.s.ctx, sess)
			k.checkShares() // one that could not follow was ended
		})
	}
}

// addViewerSocket lets a reader's socket end with its share.
func (k *shareUpdater) addViewerSocket(id string, r *viewerSocket) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.viewerSockets.addMember(id, r)
}

func (k *shareUpdater) removeViewerSocket(id string, r *viewerSocket) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.viewerSockets.removeMember(id, r)
}

// closeEndedSockets ends the sockets of shares that are not shown any more.
func (k *shareUpdater) closeEndedSockets() {
	open := map[string]bool{}
	for _, sh := range k.s.shares.List() {
		open[sh.ID] = sh.StateAt(k.s.now()) == share.Open
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	for id, readers := range k.viewerSockets {
		if open[id] {
			continue
		}
		for r := range readers {
			r.cancel()
		}
	}
}
