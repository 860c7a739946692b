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
	"time"

	"github.com/go-chi/chi/v5"
	"golang.org/x/sync/semaphore"

	"sessiontree/internal/session/catalog"
	"sessiontree/internal/session/export"
	"sessiontree/internal/session/filehistory"
	"sessiontree/internal/session/follow"
	"sessiontree/internal/session/hook"
	"sessiontree/internal/session/keep"
	"sessiontree/internal/session/searchall"
	"sessiontree/internal/session/share"
	"sessiontree/internal/session/store"
	"sessiontree/internal/session/textcache"
	"sessiontree/internal/session/visits"
	"sessiontree/internal/web/auth"
	"sessiontree/internal/web/filespage"
	"sessiontree/internal/web/finder"
	"sessiontree/internal/web/health"
	"sessiontree/internal/web/keeppage"
	"sessiontree/internal/web/live"
	"sessiontree/internal/web/load"
	"sessiontree/internal/web/nowpage"
	"sessiontree/internal/web/searchpage"
	"sessiontree/internal/web/spendpage"
	"sessiontree/internal/web/teampage"
	"sessiontree/internal/web/view"
	"sessiontree/internal/web/visit"
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
	ProjectDirs []filehistory.ProjectDir // below which the lines of changed files are shown
	// Hooks are the programs that approve changes or are notified of them; nil runs none.
	Hooks *hook.Runner
	// Redactor finds what exports redact; nil redacts nothing.
	Redactor export.Redactor
	// Shares stores shared snapshots; nil turns sharing off.
	Shares *share.Shares
	// ShareBase is the start of links if shares have an address of their own; "" uses the
	// address that the browser requested.
	ShareBase string
	// Texts are the texts that a search need not read from session files, or nil.
	Texts *textcache.Cache
	// Visits stores which sessions have a star and what was read; nil keeps it in memory.
	Visits *visits.Store
	// Keeper keeps copies of sessions; nil if that is not possible.
	Keeper *keep.Keeper
	// Team are the pages of a hub, which replace the list of sessions; nil without a hub.
	Team *teampage.Handlers
	// OnRead, if set, is called with the path of each session that a request reads.
	OnRead func(path string)
	// ReadOnly refuses every change of a session.
	ReadOnly bool
	// MaxOutlineRows limits the rows in the outline cache; 0 = 180,000, about 20 MB.
	MaxOutlineRows int

	// Replaced in tests: how long a body may take, and the clock.
	bodyTimeout time.Duration
	now         func() time.Time
}

// Server serves sessions over HTTP. Close it after http.Server.Shutdown.
type Server struct {
	*responder
	*sessionSource
	access      *auth.Policy
	shareBase   string
	bodyTimeout time.Duration

	handler       chi.Router
	socketHandler http.Handler // serves requests over sockets
	sockets       *live.Sockets

	sessions  *sessionHandlers
	readAhead *readAheadHandlers
	raw       *rawHandlers
	list      *listHandlers
	dialogs   *dialogHandlers
	shares    *shareHandlers
	viewers   *viewerHandlers
	search    *searchpage.Handlers
	spend     *spendpage.Handlers
	files     *filespage.Handlers
	nowPage   *nowpage.Handlers
	health    *health.Handlers
	memory    *memoryReleaser
	visits    *visit.Handlers
	keep      *keeppage.Handlers
	team      *teampage.Handlers // nil without a hub

	cancel  context.CancelFunc
	running sync.WaitGroup
}

// New returns a Server. Its goroutines run until Close.
func New(c Config) (*Server, error) {
	c.setDefaults()
	ctx, cancel := context.WithCancel(context.Background())
	s := &Server{
		responder: &responder{epoch: store.Revision{Epoch: c.Follower.ListRevision().Epoch}.String(), log: c.Log, ctx: ctx, pageTime: func() time.Time { return c.View.InZone(c.now()) }},
		sessionSource: &sessionSource{
			library: c.Library, catalog: c.Catalog, follower: c.Follower, loader: load.New(c.View),
			outlines: newOutlineCache(c.MaxOutlineRows), searches: finder.NewCache(), now: c.now,
			canRestore: c.Keeper != nil && !c.ReadOnly, onRead: c.OnRead, onHub: c.Team != nil,
		},
		access: c.Access, shareBase: c.ShareBase, bodyTimeout: c.bodyTimeout, cancel: cancel,
	}
	s.sockets = live.New(c.Follower, s.epoch, s.log)
	s.addHandlers(&c)
	s.socketHandler = s.socketRoutes()
	var err error
	if s.handler, err = s.buildRoutes(); err != nil {
		return nil, fmt.Errorf("routes: %w", err)
	}
	if s.viewers.shares != nil {
		s.follower.Subscribe(s.viewers.closeEndedShares)
	}
	s.running.Go(func() { s.memory.runIdleRelease(s.ctx, idleAfter) })
	return s, nil
}

// setDefaults sets the fields that may be missing.
func (c *Config) setDefaults() {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.now == nil {
		c.now = time.Now
	}
	if c.Hooks == nil {
		c.Hooks = &hook.Runner{}
	}
	if c.Visits == nil {
		c.Visits = visits.New("")
	}
	if c.CountWatches == nil {
		c.CountWatches = func() int { return 0 }
	}
	c.bodyTimeout = cmp.Or(c.bodyTimeout, bodyTimeout)
}

// addHandlers adds the handlers of all groups of routes.
func (s *Server) addHandlers(c *Config) {
	s.raw = &rawHandlers{s.responder, s.sessionSource}
	s.sessions = &sessionHandlers{s.responder, s.sessionSource, s.raw}
	s.readAhead = newReadAheadHandlers(s.sessions)
	s.keep = &keeppage.Handlers{
		Keeper: c.Keeper, Library: c.Library, Catalog: c.Catalog, Follower: c.Follower, View: c.View, Clock: c.now, ReadOnly: c.ReadOnly, PageModel: s.pageModel, Render: s.renderComponent,
	}
	s.list = &listHandlers{responder: s.responder, sessionSource: s.sessionSource, visits: c.Visits, keep: s.keep, sessionDirs: c.SessionDirs}
	s.visits = &visit.Handlers{Store: c.Visits, Library: c.Library, Catalog: c.Catalog, Changed: c.Follower.ListChanged, Log: c.Log}
	s.dialogs = &dialogHandlers{s.responder, s.sessionSource, c.Hooks, c.Redactor, c.ReadOnly, s.keep.RestoreSession}
	s.shares = &shareHandlers{s.dialogs, c.Shares, c.ShareBase, c.Access.ServesTLS()}
	s.viewers = &viewerHandlers{
		responder: s.responder, sessionSource: s.sessionSource, sessions: s.sessions, shares: c.Shares,
		limiter: auth.NewLinkLimiter(c.now), exports: semaphore.NewWeighted(maxShareExports), sockets: s.sockets,
	}
	s.search = &searchpage.Handlers{
		Searcher: searchall.Searcher{Library: c.Library, Catalog: c.Catalog, Texts: c.Texts}, Visits: c.Visits, View: c.View, Clock: c.now, Log: c.Log,
		PageModel: s.pageModel, Render: s.renderComponent,
	}
	s.spend = &spendpage.Handlers{Catalog: c.Catalog, View: c.View, Clock: c.now, PageModel: s.pageModel, Render: s.renderComponent}
	s.files = &filespage.Handlers{
		Library: c.Library, Catalog: c.Catalog, Loader: s.loader, Clock: c.now, ProjectDirs: c.ProjectDirs, FindSession: s.requestSessionView, PageModel: s.pageModel, Render: s.renderComponent,
	}
	s.nowPage = &nowpage.Handlers{Catalog: c.Catalog, Follower: c.Follower, Formats: c.Library.Formats(), View: c.View, Clock: c.now, PageModel: s.pageModel, Render: s.renderComponent}
	s.health = &health.Handlers{Library: c.Library, Catalog: c.Catalog, Access: c.Access, Sockets: s.sockets, CountWatches: c.CountWatches}
	if s.team = c.Team; s.team != nil {
		s.team.Catalog, s.team.Follower, s.team.View, s.team.Clock = c.Catalog, c.Follower, c.View, c.now
		s.team.PageModel, s.team.Render, s.search.FindOld = s.pageModel, s.renderComponent, s.team.Files.FindOld
		s.team.HandleErrors = func(fn func(http.ResponseWriter, *http.Request) error) http.HandlerFunc { return s.handleErrors(fn) }
	}
	s.memory = &memoryReleaser{sessionSource: s.sessionSource, activity: make(chan struct{}, 1)}
}

// ShowWarning shows a text above the list of sessions.
func (s *Server) ShowWarning(text string) {
	s.list.warning.Store(&text)
	s.follower.ListChanged()
}

// KeepChanged notes that the state of copies has changed. It does not block.
func (s *Server) KeepChanged() { s.keep.Changed() }

// Handler returns the handler for all requests.
func (s *Server) Handler() http.Handler { return s.memory.trackActivity(s.handler) }

// Routes returns all routes, for tests that check each of them.
func (s *Server) Routes() chi.Routes { return s.handler }

// Close closes all sockets, stops the goroutines and waits for them.
func (s *Server) Close() {
	s.cancel()
	s.sockets.Close()
	s.running.Wait()
}

// LastActivity returns when the last request began or ended.
func (s *Server) LastActivity() time.Time { return time.Unix(0, s.memory.last.Load()) }

// NoteActivity makes the server release memory after the next period without activity.
func (s *Server) NoteActivity() { s.memory.noteActivity() }
