// Package follow keeps everything up to date that is shown or shared while files change. It
// refreshes the open sessions that a changed path belongs to, then the list of sessions,
// updates live shares, and publishes an event for each change. It works without a server.
package follow

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/binary"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"sessiontree/internal/session/catalog"
	"sessiontree/internal/session/share"
	"sessiontree/internal/session/store"
)

// Config configures a Follower.
type Config struct {
	Library *store.Library
	Catalog *catalog.Catalog
	Shares  *share.Shares // nil if nothing can be shared
	// Watch marks a file as viewed until the returned function is called; nil watches no
	// file more closely.
	Watch func(path string) (unview func())
	Log   *slog.Logger // nil discards logs
	// FindTimeout is how long to wait for an unknown session; 0 = 10 s.
	FindTimeout time.Duration
}

// Follower turns changes of files into events. It refreshes an open session at once, and
// the catalog, which is slower and less urgent, afterwards.
type Follower struct {
	library     *store.Library
	catalog     *catalog.Catalog
	watch       func(path string) func()
	log         *slog.Logger
	findTimeout time.Duration

	subscribersMu sync.RWMutex
	subscribers   []func(Event)

	refreshes coalescer // by path
	repeats   repeats   // of refreshes
	opened    openedSessions
	awaited   awaitedSessions
	scans     unknownKeyScan
	shares    *liveShares // nil if nothing can be shared

	mu           sync.Mutex
	changedPaths map[string]struct{} // since the last update of the catalog

	catalogDue    chan struct{} // holds a token while the catalog is to be updated
	unseenDue     chan struct{} // the same, but for changes that no page shows
	listFollowers atomic.Int64
	listNoticeDue chan struct{} // holds a token while an event of the list is due
	listChanged   broadcast     // wakes waiters when the catalog's list changes
	listEpoch     uint64
	listRev       atomic.Int64

	ctx     context.Context // ends with Close
	cancel  context.CancelFunc
	running sync.WaitGroup
}

// New returns a Follower. It refreshes sessions at once; Start starts everything else.
func New(c Config) *Follower {
	var seed [8]byte
	_, _ = rand.Read(seed[:]) // never fails
	f := &Follower{
		library:       c.Library,
		catalog:       c.Catalog,
		watch:         c.Watch,
		log:           cmp.Or(c.Log, slog.New(slog.DiscardHandler)),
		findTimeout:   cmp.Or(c.FindTimeout, findTimeout),
		awaited:       awaitedSessions{wake: make(chan struct{}, 1)},
		changedPaths:  map[string]struct{}{},
		catalogDue:    make(chan struct{}, 1),
		unseenDue:     make(chan struct{}, 1),
		listNoticeDue: make(chan struct{}, 1),
		listEpoch:     binary.NativeEndian.Uint64(seed[:]) >> 12,
	}
	if f.watch == nil {
		f.watch = func(string) func() { return func() {} }
	}
	f.ctx, f.cancel = context.WithCancel(context.Background())
	if c.Shares != nil {
		f.shares = newLiveShares(f, c.Shares)
	}
	return f
}

// Start starts to update the catalog and live shares and to publish events of the list,
// until Close. It is separate from New because the functions of Config may need the
// Follower.
func (f *Follower) Start() {
	f.running.Go(func() { runRateLimited(f.ctx, f.catalogDue, minRestInterval, f.updateCatalog) })
	f.running.Go(func() { runRateLimited(f.ctx, f.unseenDue, unseenRestInterval, f.updateCatalog) })
	f.running.Go(func() { f.runListEvents(f.ctx) })
	f.running.Go(func() { f.runAwaitedSessions(f.ctx) })
	if f.shares != nil {
		f.running.Go(func() { f.shares.runUpdates(f.ctx) })
	}
}

// Close stops all work and waits for it.
func (f *Follower) Close() {
	f.cancel()
	f.refreshes.closeAndWait()
	if f.shares != nil {
		f.shares.updates.closeAndWait()
	}
	f.running.Wait()
}

// Subscribe calls fn with every event from now on, in the goroutine that found the change.
// fn must not block.
func (f *Follower) Subscribe(fn func(Event)) {
	f.subscribersMu.Lock()
	defer f.subscribersMu.Unlock()
	f.subscribers = append(f.subscribers, fn)
}

func (f *Follower) publishEvent(e Event) {
	f.subscribersMu.RLock()
	defer f.subscribersMu.RUnlock()
	for _, fn := range f.subscribers {
		fn(e)
	}
}

// ListRevision returns the current revision of the list of sessions. Its epoch identifies
// the Follower.
func (f *Follower) ListRevision() store.Revision {
	return store.Revision{Epoch: f.listEpoch, N: f.listRev.Load()}
}

// HeldSession is a session that stays open and is watched until it is released.
type HeldSession struct {
	Session *store.Session
	Release func()
}

// HoldSession keeps a session open and watches its file closely.
func (f *Follower) HoldSession(sess *store.Session) HeldSession {
	return HeldSession{sess, f.watch(sess.Path())}
}
