// Package web is the explorer over HTTP: one routing table, handlers that return
// errors, and the socket that tells browsers what changed. It knows no format
// and opens no file itself.
package web

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"sessiontree/internal/session/catalog"
	"sessiontree/internal/session/export"
	"sessiontree/internal/session/hook"
	"sessiontree/internal/session/share"
	"sessiontree/internal/session/store"
	"sessiontree/internal/web/view"
)

// Config wires a Server.
type Config struct {
	Library *store.Library
	Catalog *catalog.Catalog
	View    *view.Builder
	// Watch marks a file as viewed until the function it answers is called; nil
	// watches nothing more than usual.
	Watch func(path string) (unview func())
	// Watches returns how many directories are watched; nil is none.
	Watches func() int
	Log     *slog.Logger // nil is silent
	// LookedIn names the places where sessions are looked for, for people.
	LookedIn []string
	// Hooks are the programs that are asked and told of changes; nil is none.
	Hooks *hook.Runner
	// Redactor finds what exports replace; nil is nothing.
	Redactor export.Redactor
	// Shares are what can be read by links; nil is nothing, and none can be made.
	Shares *share.Shares
	// ShareBase is what links begin with where they are served on an address of
	// their own; "" is what the browser asks for.
	ShareBase string
	// ReadOnly refuses every change.
	ReadOnly bool
	// Outlines bounds the rows kept of outlines computed before; 0 = 180,000,
	// about 20 MB.
	Outlines int

	Token        string   // lets in whom its own user does not; "" lets nobody
	RequireToken bool     // everybody needs the token
	Hosts        []string // further names in Host
	TLS          bool     // served over TLS

	// What tests change: who finds the user of a peer, and how long a body may take.
	peerUID  func(peer, local netip.AddrPort) (uid int, known bool)
	bodyWait time.Duration
}

// Server answers requests about sessions. Close it after http.Server.Shutdown.
type Server struct {
	library   *store.Library
	catalog   *catalog.Catalog
	builder   *view.Builder
	watch     func(path string) func()
	watches   func() int
	log       *slog.Logger
	lookedIn  []string
	hooks     *hook.Runner
	redactor  export.Redactor
	readOnly  bool
	shares    *share.Shares
	shareBase string
	limiter   *limiter
	keeper    *keeper
	files     *semaphore.Weighted // of shares, which strangers ask for
	access    *access
	conns     *connLimit
	strangers connPool // connections of others than the owner
	viewers   connPool // connections to the address of shares
	now       func() time.Time
	findWait  time.Duration
	bodyWait  time.Duration
	warning   atomic.Pointer[string] // above the list of sessions

	handler    http.Handler
	overSocket http.Handler // what is asked for over sockets
	hub        *hub
	follow     *follower
	outlines   *outlines
	hits       *hitLists
	seen       seen
	awaited    *awaited

	epoch   string // names this start of the server
	listing store.Rev
	listRev atomic.Int64
	active  chan struct{} // holds a token after a request
	list    bell          // rings when the catalog's list changes

	ctx     context.Context // ends with Close
	cancel  context.CancelFunc
	sockets gate
	work    gate
	running sync.WaitGroup
}

// New makes a Server; its goroutines run until Close.
func New(c Config) (*Server, error) {
	var seed [8]byte
	_, _ = rand.Read(seed[:]) // never fails
	epoch := binary.NativeEndian.Uint64(seed[:]) >> 12
	s := &Server{
		library:   c.Library,
		catalog:   c.Catalog,
		builder:   c.View,
		watch:     c.Watch,
		watches:   c.Watches,
		active:    make(chan struct{}, 1),
		log:       c.Log,
		lookedIn:  c.LookedIn,
		hooks:     c.Hooks,
		redactor:  c.Redactor,
		readOnly:  c.ReadOnly,
		shares:    c.Shares,
		shareBase: c.ShareBase,
		access:    newAccess(c),
		conns:     newConnLimit(openFilesLimit()),
		now:       time.Now,
		findWait:  findWait,
		bodyWait:  cmp.Or(c.bodyWait, bodyWait),
		hub:       newHub(),
		outlines:  newOutlines(c.Outlines),
		hits:      newHitLists(),
		awaited:   newAwaited(),
		listing:   store.Rev{Epoch: epoch},
		epoch:     store.Rev{Epoch: epoch}.String(),
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	s.conns.share(&s.strangers)
	if s.hooks == nil {
		s.hooks = &hook.Runner{}
	}
	if s.watch == nil {
		s.watch = func(string) func() { return func() {} }
	}
	if s.watches == nil {
		s.watches = func() int { return 0 }
	}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.follow = newFollower(s)
	s.limiter = newLimiter(func() time.Time { return s.now() })
	s.keeper = newKeeper(s)
	s.files = semaphore.NewWeighted(mostFiles)
	var err error
	s.overSocket = s.askable()
	if s.handler, err = s.routes(); err != nil {
		return nil, fmt.Errorf("routes: %w", err)
	}
	s.running.Go(func() { s.follow.runTouch(s.ctx) })
	s.running.Go(func() { s.follow.runListed(s.ctx) })
	s.running.Go(func() { s.runAwaited(s.ctx) })
	s.running.Go(func() { s.runIdle(s.ctx, idleAfter) })
	return s, nil
}

// KeepShares begins to let live shares follow their sessions, until Close. It calls
// what New was given, which may need the Server first.
func (s *Server) KeepShares() {
	if s.shares != nil {
		s.running.Go(func() { s.keeper.run(s.ctx) })
	}
}

// Warn shows a text above the list of sessions from now on.
func (s *Server) Warn(text string) {
	s.warning.Store(&text)
	s.LibraryChanged()
}

// Handler answers every request.
func (s *Server) Handler() http.Handler { return s.noticed(s.handler) }

// Close ends the sockets and everything that runs, and waits for it.
func (s *Server) Close() {
	s.cancel()
	s.sockets.close()
	s.work.close()
	s.running.Wait()
	s.access.close()
}

// libraryRev names the present state of the list of sessions.
func (s *Server) libraryRev() store.Rev {
	return store.Rev{Epoch: s.listing.Epoch, N: s.listRev.Load()}
}

// bell wakes everybody who waits for the next ring.
type bell struct {
	mu sync.Mutex
	c  chan struct{}
}

// next answers a channel that the next ring closes.
func (b *bell) next() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.c == nil {
		b.c = make(chan struct{})
	}
	return b.c
}

func (b *bell) ring() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.c != nil {
		close(b.c)
		b.c = nil
	}
}
