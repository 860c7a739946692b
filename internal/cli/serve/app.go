package serve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"sync"
	"syscall"
	"time"

	"sessiontree/internal/cli/statedir"
	"sessiontree/internal/heap"
	"sessiontree/internal/session/catalog"
	"sessiontree/internal/session/follow"
	"sessiontree/internal/session/format"
	"sessiontree/internal/session/keep"
	"sessiontree/internal/session/share"
	"sessiontree/internal/session/store"
	"sessiontree/internal/session/textcache"
	"sessiontree/internal/session/visits"
	"sessiontree/internal/session/watch"
	"sessiontree/internal/web"
	"sessiontree/internal/web/auth"
)

// app holds the components of a running server.
type app struct {
	web      *web.Server
	access   *auth.Policy
	library  *store.Library
	follower *follow.Follower
	catalog  *catalog.Catalog
	watcher  *watch.Watcher
	texts    *textcache.Cache // nil if it cannot be opened
	keeper   *keep.Keeper     // nil if nothing can be copied
	log      *slog.Logger
	restored chan struct{} // closed when the list of the last run is restored
}

// newApp connects files and pages: the watcher reports changed paths, the store reads the
// changes, the server notifies browsers.
func newApp(o *Options, c Config, roots sessionRoots, state statedir.Opened, shareBase string, log *slog.Logger) (*app, error) {
	memory := o.memory.Apply()
	memory.Raise(heap.BallastSize) // it counts, but takes no memory
	a := &app{log: log, restored: make(chan struct{})}
	var err error
	if a.keeper, err = a.newKeeper(o, roots.own, state.Dir, log); err != nil {
		return nil, err
	}
	lib, err := store.New(store.Config{
		Formats: format.All, Roots: roots.dirs, Home: c.Home, FollowLinks: o.followLinks, Memory: int64(o.memory) * 4 / 5,
		StateDir: state.Dir, ReadOnly: c.ReadOnly, Copies: a.copies(),
		OnLoad:   func() func() { return memory.Raise(loadMemory) },
		OnChange: func(s *store.Session, change store.Change) { a.follower.SessionChanged(s, change) },
	})
	if err != nil {
		return nil, err
	}
	a.library = lib
	a.texts = a.openTexts()
	redactor := newLateRedactor(c.NewRedactor)
	shares, err := a.newShareStore(c.Home, state.Dir, redactor)
	if err != nil {
		return nil, err
	}
	a.catalog = catalog.New(catalog.Config{
		Library: lib, CacheDir: statedir.CacheDir(), Prices: c.View.Prices, OnRestored: a.startWatching, OnChange: func() { a.follower.ListChanged() },
	})
	a.follower = follow.New(follow.Config{
		Library: lib, Catalog: a.catalog, Shares: shares, Log: log,
		Watch: func(path string) func() { return a.watcher.ViewFile(path) },
	})
	a.access = auth.NewPolicy(auth.Config{Token: state.Token, RequireToken: o.requireToken, Hosts: o.hosts, TLS: o.cert != "", Log: log})
	a.web, err = web.New(web.Config{
		Library: lib, Catalog: a.catalog, Follower: a.follower, View: c.View, Access: a.access,
		CountWatches: func() int { return a.watcher.WatchCount() },
		Log:          log, SessionDirs: roots.dirs, ProjectDirs: roots.projects, MaxOutlineRows: int(o.memory) / 1000, Hooks: c.Hooks, ReadOnly: c.ReadOnly, Redactor: redactor,
		Visits: visits.New(state.Dir), Keeper: a.keeper,
		Shares: shares, ShareBase: shareBase, Texts: a.texts,
	})
	if err != nil {
		return nil, err
	}
	// Not the context of the command: the watcher must outlive the server.
	a.watcher, err = watch.New(context.Background(), watch.Config{VisitDirs: a.visitDirs, VisitDirsUnder: lib.Roots().VisitDirsUnder, OnChange: a.pathChanged, OnFailure: a.warnUnwatched})
	if err != nil {
		a.web.Close()
		a.follower.Close()
		return nil, fmt.Errorf("watch: %w", err)
	}
	a.follower.Start()
	return a, nil
}

// newShareStore returns the shares in the state directory, nil if there is no directory.
func (a *app) newShareStore(home, state string, redactor lateRedactor) (*share.Shares, error) {
	if state == "" {
		return nil, nil
	}
	return share.New(share.Config{
		Dir: statedir.SharesDir(state), Formats: format.All, Home: home, Redactor: redactor, Log: a.log,
		Changed: func(s *store.Session, change store.Change) { a.follower.SnapshotChanged(s, change) },
	})
}

// warnUnwatched explains why changes are noticed late.
func (a *app) warnUnwatched(err error) {
	text := "Some directories cannot be watched, so changes are seen up to 30 seconds late: " + err.Error() + "."
	switch {
	case runtime.GOOS != "linux":
	case errors.Is(err, syscall.ENOSPC):
		text = "Not every directory can be watched, so changes are seen up to 30 seconds late. Raise the limit with sysctl fs.inotify.max_user_watches."
	case errors.Is(err, syscall.EMFILE):
		text = "No directory can be watched, so changes are seen up to 30 seconds late. Raise the limit with sysctl fs.inotify.max_user_instances."
	}
	a.log.Warn(text, "err", err)
	a.web.ShowWarning(text)
}

// moveColdData moves to disk what the list has of sessions that rest.
func (a *app) moveColdData() {
	if err := a.catalog.MoveColdData(); err != nil {
		a.log.Warn("the list of sessions takes more memory than necessary", "err", err)
	}
}

// leftoversInterval is the interval at which leftovers of killed processes are removed.
const leftoversInterval = time.Hour

// runHourly removes the leftovers of killed processes, now and every hour, and moves
// what rests to disk.
func (a *app) runHourly(ctx context.Context) {
	every := time.NewTicker(leftoversInterval)
	defer every.Stop()
	for {
		if err := a.library.RemoveLeftovers(ctx); err != nil && ctx.Err() == nil {
			a.log.Warn("temporary files of killed processes cannot be removed", "err", err)
		}
		select {
		case <-every.C:
			a.moveColdData()
		case <-ctx.Done():
			return
		}
	}
}

// rereadInterval is the interval at which sessions are read in full that were listed by
// their appended lines alone, and how long they must have rested.
const rereadInterval = 15 * time.Second

// rereadInexact makes the rows of sessions exact again once the sessions rest.
func (a *app) rereadInexact(ctx context.Context) {
	every := time.NewTicker(rereadInterval)
	defer every.Stop()
	for {
		select {
		case <-every.C:
			a.catalog.RereadInexact(ctx, time.Now().Add(-rereadInterval))
		case <-ctx.Done():
			return
		}
	}
}

// run serves until ctx ends or a listener fails.
func (a *app) run(ctx context.Context, listeners web.Listeners) error {
	ctx, cancel := context.WithCancel(ctx)
	var filling sync.WaitGroup
	filling.Go(func() {
		a.fillCatalog(ctx)
		filling.Go(func() { a.keepTexts(ctx) })
		filling.Go(func() { a.rereadInexact(ctx) })
		filling.Go(func() { a.runKeeper(ctx) })
		a.runHourly(ctx)
	})
	defer filling.Wait()
	defer cancel()
	return a.web.Serve(ctx, listeners)
}

func (a *app) close() {
	_ = a.watcher.Close() // it only stops
	a.web.Close()
	a.follower.Close()
	a.access.Close()
	if a.texts != nil {
		_ = a.texts.Close() // every record was written when it was added
	}
	if err := a.catalog.Save(); err != nil {
		a.log.Error("saving the list of sessions", "err", err)
	}
}
