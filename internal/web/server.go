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
	// CountWatches returns how many directories are watched; nil is none.
	CountWatches func() int
	Log          *slog.Logger // nil is silent
	// SessionDirs names the places where sessions are looked for, for people.
	SessionDirs []string
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
	// MaxOutlineRows bounds the rows kept of outlines computed before; 0 = 180,000,
	// about 20 MB.
	MaxOutlineRows int

	Token        string   // lets in whom its own user does not; "" lets nobody
	RequireToken bool     // everybody needs the token
	Hosts        []string // further names in Host
	TLS          bool     // served over TLS

	// What tests change: who finds the user of a peer, and how long a body may take.
	peerUID     func(peer, local netip.AddrPort) (uid int, known bool)
	bodyTimeout time.Duration
}

// Server answers requests about sessions. Close it after http.Server.Shutdown.
type Server struct {
	library      *store.Library
	catalog      *catalog.Catalog
	builder      *view.Builder
	watch        func(path string) func()
	countWatches func() int
	log          *slog.Logger
	sessionDirs  []string
	hooks        *hook.Runner
	redactor     export.Redactor
	readOnly     bool
	shares       *share.Shares
	shareBase    string
	linkLimiter  *linkLimiter
	shareUpdater *shareUpdater
	shareExports *semaphore.Weighted // of shares, which strangers ask for
	access       *accessPolicy
	conns        *connLimit
	otherConns   connPool // connections of others than the owner
	shareConns   connPool // connections to the address of shares
	now          func() time.Time
	findTimeout  time.Duration
	bodyTimeout  time.Duration
	warning      atomic.Pointer[string] // above the list of sessions

	handler       http.Handler
	socketHandler http.Handler // what is asked for over sockets
	hub           *hub
	follower      *changeFollower
	outlines      *outlineCache
	searches      *searchCache
	opened        openedSessions
	pendingTopics *pendingTopics

	epoch       string // names this start of the server
	listEpoch   store.Revision
	listRev     atomic.Int64
	activity    chan struct{} // holds a token after a request
	listChanged broadcast     // rings when the catalog's list changes

	ctx     context.Context // ends with Close
	cancel  context.CancelFunc
	sockets taskGroup
	work    taskGroup
	running sync.WaitGroup
}

// New makes a Server; its goroutines run until Close.
func New(c Config) (*Server, error) {
	var seed [8]byte
	_, _ = rand.Read(seed[:]) // never fails
	epoch := binary.NativeEndian.Uint64(seed[:]) >> 12
	s := &Server{
		library:       c.Library,
		catalog:       c.Catalog,
		builder:       c.View,
		watch:         c.Watch,
		countWatches:  c.CountWatches,
		activity:      make(chan struct{}, 1),
		log:           c.Log,
		sessionDirs:   c.SessionDirs,
		hooks:         c.Hooks,
		redactor:      c.Redactor,
		readOnly:      c.ReadOnly,
		shares:        c.Shares,
		shareBase:     c.ShareBase,
		access:        newAccessPolicy(c),
		conns:         newConnLimit(openFilesLimit()),
		now:           time.Now,
		findTimeout:   findTimeout,
		bodyTimeout:   cmp.Or(c.bodyTimeout, bodyTimeout),
		hub:           newHub(),
		outlines:      newOutlineCache(c.MaxOutlineRows),
		searches:      newSearchCache(),
		pendingTopics: newPendingTopics(),
		listEpoch:     store.Revision{Epoch: epoch},
		epoch:         store.Revision{Epoch: epoch}.String(),
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	s.conns.splitAmongPools(&s.otherConns)
	if s.hooks == nil {
		s.hooks = &hook.Runner{}
	}
	if s.watch == nil {
		s.watch = func(string) func() { return func() {} }
	}
	if s.countWatches == nil {
		s.countWatches = func() int { return 0 }
	}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.follower = newChangeFollower(s)
	s.linkLimiter = newLinkLimiter(func() time.Time { return s.now() })
	s.shareUpdater = newShareUpdater(s)
	s.shareExports = semaphore.NewWeighted(maxShareExports)
	var err error
	s.socketHandler = s.socketRoutes()
	if s.handler, err = s.buildRoutes(); err != nil {
		return nil, fmt.Errorf("routes: %w", err)
	}
	s.running.Go(func() { s.follower.runCatalogUpdates(s.ctx) })
	s.running.Go(func() { s.follower.runListNotices(s.ctx) })
	s.running.Go(func() { s.runPendingTopics(s.ctx) })
	s.running.Go(func() { s.runIdleRelease(s.ctx, idleAfter) })
	return s, nil
}

// RunShareUpdates begins to let live shares follow their sessions, until Close. It calls
// what New was given, which may need the Server first.
func (s *Server) RunShareUpdates() {
	if s.shares != nil {
		s.running.Go(func() { s.shareUpdater.runUpdates(s.ctx) })
	}
}

// ShowWarning shows a text above the list of sessions from now on.
func (s *Server) ShowWarning(text string) {
	s.warning.Store(&text)
	s.LibraryChanged()
}

// Handler answers every request.
func (s *Server) Handler() http.Handler { return s.trackActivity(s.handler) }

// Close ends the sockets and everything that runs, and waits for it.
func (s *Server) Close() {
	s.cancel()
	s.sockets.closeAndWait()
	s.work.closeAndWait()
	s.running.Wait()
	s.access.closeLookup()
}

// listRevision names the present state of the list of sessions.
func (s *Server) listRevision() store.Revision {
	return store.Revision{Epoch: s.listEpoch.Epoch, N: s.listRev.Load()}
}

// broadcast wakes everybody who waits for the next ring.
type broadcast struct {
	mu sync.Mutex
	c  chan struct{}
}

// waitChannel answers a channel that the next ring closes.
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
