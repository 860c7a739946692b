// Package web serves the explorer over HTTP and notifies browsers of changes. It has one
// routing table, handlers that return errors, and a socket. It knows no session format and
// opens no session file itself.
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
	"sessiontree/internal/web/load"
	"sessiontree/internal/web/view"
)

// Config configures a Server.
type Config struct {
	Library *store.Library
	Catalog *catalog.Catalog
	View    view.Config
	// Watch marks a file as viewed until the returned function is called; nil watches no
	// file more closely.
	Watch func(path string) (unview func())
	// CountWatches returns how many directories are watched; nil reports none.
	CountWatches func() int
	Log          *slog.Logger // nil discards logs
	// SessionDirs are the directories searched for sessions, as shown to users.
	SessionDirs []string
	// Hooks are the programs that approve changes or are notified of them; nil runs none.
	Hooks *hook.Runner
	// Redactor finds what exports redact; nil redacts nothing.
	Redactor export.Redactor
	// Shares stores shared snapshots; nil turns sharing off.
	Shares *share.Shares
	// ShareBase is the start of links if shares have an address of their own; "" uses the
	// address that the browser requested.
	ShareBase string
	// ReadOnly refuses every change.
	ReadOnly bool
	// MaxOutlineRows limits the rows in the outline cache; 0 = 180,000, about 20 MB.
	MaxOutlineRows int

	Token        string   // admits other users and computers; "" admits none
	RequireToken bool     // everybody needs the token
	Hosts        []string // further names allowed in the Host header
	TLS          bool     // served over TLS

	// Replaced in tests: the lookup of a peer's user, and how long a body may take.
	peerUID     func(peer, local netip.AddrPort) (uid int, known bool)
	bodyTimeout time.Duration
}

// Server serves sessions over HTTP. Close it after http.Server.Shutdown.
type Server struct {
	library      *store.Library
	catalog      *catalog.Catalog
	loader       *load.Loader
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
	shareExports *semaphore.Weighted // limits concurrent exports of shares
	access       *accessPolicy
	conns        *connLimit
	otherConns   connPool // connections that are not the owner's
	shareConns   connPool // connections to the address for shares
	now          func() time.Time
	findTimeout  time.Duration
	bodyTimeout  time.Duration
	warning      atomic.Pointer[string] // shown above the list of sessions

	handler       http.Handler
	socketHandler http.Handler // serves requests over sockets
	hub           *hub
	follower      *changeFollower
	outlines      *outlineCache
	searches      *searchCache
	opened        openedSessions
	pendingTopics *pendingTopics

	epoch       string // identifies this run of the server
	listEpoch   store.Revision
	listRev     atomic.Int64
	activity    chan struct{} // holds a token after a request
	listChanged broadcast     // wakes waiters when the catalog's list changes

	ctx     context.Context // ends with Close
	cancel  context.CancelFunc
	sockets taskGroup
	work    taskGroup
	running sync.WaitGroup
}

// New returns a Server. Its goroutines run until Close.
func New(c Config) (*Server, error) {
	var seed [8]byte
	_, _ = rand.Read(seed[:]) // never fails
	epoch := binary.NativeEndian.Uint64(seed[:]) >> 12
	s := &Server{
		library:       c.Library,
		catalog:       c.Catalog,
		loader:        load.New(c.View),
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

// RunShareUpdates updates live shares from their sessions, until Close. It is separate from
// New because the callbacks given to New may need the Server.
func (s *Server) RunShareUpdates() {
	if s.shares != nil {
		s.running.Go(func() { s.shareUpdater.runUpdates(s.ctx) })
	}
}

// ShowWarning shows a text above the list of sessions.
func (s *Server) ShowWarning(text string) {
	s.warning.Store(&text)
	s.LibraryChanged()
}

// Handler returns the handler for all requests.
func (s *Server) Handler() http.Handler { return s.trackActivity(s.handler) }

// Close closes all sockets, stops the goroutines and waits for them.
func (s *Server) Close() {
	s.cancel()
	s.sockets.closeAndWait()
	s.work.closeAndWait()
	s.running.Wait()
	s.access.closeLookup()
}

// listRevision returns the current revision of the list of sessions.
func (s *Server) listRevision() store.Revision {
	return store.Revision{Epoch: s.listEpoch.Epoch, N: s.listRev.Load()}
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
