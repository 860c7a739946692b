// Package web serves the explorer over HTTP. It has one routing table and handlers that
// return errors. It knows no session format and opens no session file itself.
package web

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"sessiontree/internal/session/catalog"
	"sessiontree/internal/session/export"
	"sessiontree/internal/session/follow"
	"sessiontree/internal/session/hook"
	"sessiontree/internal/session/share"
	"sessiontree/internal/session/store"
	"sessiontree/internal/web/auth"
	"sessiontree/internal/web/live"
	"sessiontree/internal/web/load"
	"sessiontree/internal/web/view"
)

// Config configures a Server.
type Config struct {
	Library  *store.Library
	Catalog  *catalog.Catalog
	Follower *follow.Follower
	View     view.Config
	Access   *auth.Policy // decides who may connect
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

	// Replaced in tests: how long a body may take, and the clock.
	bodyTimeout time.Duration
	now         func() time.Time
}

// Server serves sessions over HTTP. Close it after http.Server.Shutdown.
type Server struct {
	library      *store.Library
	catalog      *catalog.Catalog
	loader       *load.Loader
	follower     *follow.Follower
	countWatches func() int
	log          *slog.Logger
	sessionDirs  []string
	hooks        *hook.Runner
	redactor     export.Redactor
	readOnly     bool
	shares       *share.Shares
	shareBase    string
	linkLimiter  *auth.LinkLimiter
	shareSockets shareSockets
	shareExports *semaphore.Weighted // limits concurrent exports of shares
	access       *auth.Policy
	now          func() time.Time
	bodyTimeout  time.Duration
	warning      atomic.Pointer[string] // shown above the list of sessions

	handler       http.Handler
	socketHandler http.Handler // serves requests over sockets
	sockets       *live.Sockets
	outlines      *outlineCache
	searches      *searchCache

	epoch    string        // identifies this run of the server
	activity chan struct{} // holds a token after a request

	ctx     context.Context // ends with Close
	cancel  context.CancelFunc
	running sync.WaitGroup
}

// New returns a Server. Its goroutines run until Close.
func New(c Config) (*Server, error) {
	s := &Server{
		library:      c.Library,
		catalog:      c.Catalog,
		loader:       load.New(c.View),
		follower:     c.Follower,
		countWatches: c.CountWatches,
		activity:     make(chan struct{}, 1),
		log:          c.Log,
		sessionDirs:  c.SessionDirs,
		hooks:        c.Hooks,
		redactor:     c.Redactor,
		readOnly:     c.ReadOnly,
		shares:       c.Shares,
		shareBase:    c.ShareBase,
		access:       c.Access,
		now:          c.now,
		bodyTimeout:  cmp.Or(c.bodyTimeout, bodyTimeout),
		outlines:     newOutlineCache(c.MaxOutlineRows),
		searches:     newSearchCache(),
		epoch:        store.Revision{Epoch: c.Follower.ListRevision().Epoch}.String(),
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if s.now == nil {
		s.now = time.Now
	}
	if s.hooks == nil {
		s.hooks = &hook.Runner{}
	}
	if s.countWatches == nil {
		s.countWatches = func() int { return 0 }
	}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.sockets = live.New(c.Follower, s.epoch, s.log)
	s.linkLimiter = auth.NewLinkLimiter(s.now)
	s.shareExports = semaphore.NewWeighted(maxShareExports)
	var err error
	s.socketHandler = s.socketRoutes()
	if s.handler, err = s.buildRoutes(); err != nil {
		return nil, fmt.Errorf("routes: %w", err)
	}
	if s.shares != nil {
		s.follower.Subscribe(s.closeEndedShares)
	}
	s.running.Go(func() { s.runIdleRelease(s.ctx, idleAfter) })
	return s, nil
}

// ShowWarning shows a text above the list of sessions.
func (s *Server) ShowWarning(text string) {
	s.warning.Store(&text)
	s.follower.ListChanged()
}

// Handler returns the handler for all requests.
func (s *Server) Handler() http.Handler { return s.trackActivity(s.handler) }

// Close closes all sockets, stops the goroutines and waits for them.
func (s *Server) Close() {
	s.cancel()
	s.sockets.Close()
	s.running.Wait()
}
