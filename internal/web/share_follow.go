package web

import (
	"context"
	"sync"
	"time"

	"sessiontree/internal/session/share"
	"sessiontree/internal/session/store"
)

// keepPace is how often shares are looked at when nothing calls for it: they end by
// themselves, and another program may change them.
const keepPace = 10 * time.Second

// keeper lets live shares follow the sessions that they were made of: it holds
// those open and watched, whoever else looks at them, and ends the sockets of
// readers with their shares.
type keeper struct {
	s   *Server
	due chan struct{} // holds a token while shares may have changed

	turns turns // paths being followed

	mu      sync.Mutex
	held    map[string]held // by path
	readers topics[*reader] // by the id of the share
}

// reader is a socket of somebody who reads a share.
type reader struct{ leave context.CancelFunc }

func newKeeper(s *Server) *keeper {
	return &keeper{s: s, due: make(chan struct{}, 1), held: map[string]held{}, readers: topics[*reader]{}}
}

// changed takes in that a share was made or ended. It does not block.
func (k *keeper) changed() { signal(k.due) }

// run looks after shares until ctx ends.
func (k *keeper) run(ctx context.Context) {
	tick := time.NewTicker(keepPace)
	defer tick.Stop()
	defer k.release(nil)
	for {
		k.endSockets()
		k.hold(ctx)
		select {
		case <-ctx.Done():
			return
		case <-k.due:
		case <-tick.C:
		}
	}
}

// hold opens the sessions of live shares and lets go of others. One that cannot be
// opened is tried again later.
func (k *keeper) hold(ctx context.Context) {
	want := map[string]bool{}
	for _, path := range k.s.shares.Live() {
		want[path] = true
	}
	k.release(want)
	for path := range want {
		if k.holds(path) {
			continue
		}
		sess, err := k.s.library.Open(ctx, path)
		if sess == nil {
			k.s.log.Debug("a live share cannot follow", "path", path, "err", err)
			continue
		}
		unview := k.s.watch(path)
		k.mu.Lock()
		k.held[path] = held{sess, unview}
		k.mu.Unlock()
		k.grew(sess) // it may have, while nobody held it
	}
}

func (k *keeper) holds(path string) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	_, ok := k.held[path]
	return ok
}

// release lets go of the sessions that are not wanted.
func (k *keeper) release(want map[string]bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for path, h := range k.held {
		if !want[path] {
			h.unview()
			delete(k.held, path)
		}
	}
}

// grew takes in that a session changed. It does not block: the work is done by a
// goroutine of the session, one at a time.
func (k *keeper) grew(sess *store.Session) {
	if path := sess.Path(); k.holds(path) {
		k.turns.take(path, &k.s.work, func() {
			k.s.shares.Follow(k.s.ctx, sess)
			k.changed() // one that could not follow was ended
		})
	}
}

// join lets a reader's socket end with its share.
func (k *keeper) join(id string, r *reader) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.readers.join(id, r)
}

func (k *keeper) leave(id string, r *reader) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.readers.leave(id, r)
}

// endSockets ends the sockets of shares that are not shown any more.
func (k *keeper) endSockets() {
	open := map[string]bool{}
	for _, sh := range k.s.shares.List() {
		open[sh.ID] = sh.State(k.s.now()) == share.Open
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	for id, readers := range k.readers {
		if open[id] {
			continue
		}
		for r := range readers {
			r.leave()
		}
	}
}
