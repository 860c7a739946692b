package web

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

// shareUpdater updates live shares from their sessions. It keeps these sessions open and
// watched, and closes the sockets of viewers when their share ends.
type shareUpdater struct {
	s    *Server
	wake chan struct{} // holds a token while shares may have changed

	updates coalescer // running updates, by path

	mu            sync.Mutex
	heldSessions  map[string]heldSession      // by path
	viewerSockets topicMembers[*viewerSocket] // by the id of the share
}

// viewerSocket is the socket of a viewer of a share.
type viewerSocket struct{ cancel context.CancelFunc }

func newShareUpdater(s *Server) *shareUpdater {
	return &shareUpdater{s: s, wake: make(chan struct{}, 1), heldSessions: map[string]heldSession{}, viewerSockets: topicMembers[*viewerSocket]{}}
}

// checkShares triggers a check after a share was created or ended. It does not block.
func (k *shareUpdater) checkShares() { trySignal(k.wake) }

// runUpdates checks shares until ctx ends.
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

// holdSharedSessions opens the sessions of live shares and releases others. It tries again
// later if one cannot be opened.
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
		k.queueUpdate(sess) // it may have grown while it was not held
	}
}

func (k *shareUpdater) isHolding(path string) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	_, ok := k.heldSessions[path]
	return ok
}

// releaseUnwanted releases the sessions that are not wanted.
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

// queueUpdate handles a change of a session. It does not block: one goroutine per session
// updates the shares.
func (k *shareUpdater) queueUpdate(sess *store.Session) {
	if path := sess.Path(); k.isHolding(path) {
		k.updates.runCoalesced(path, &k.s.work, func() {
			k.s.shares.UpdateLive(k.s.ctx, sess)
			k.checkShares() // shares that could not be updated were ended
		})
	}
}

// addViewerSocket registers a socket that is closed with its share.
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

// closeEndedSockets closes the sockets of shares that cannot be opened any more.
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
