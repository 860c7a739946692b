package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"runtime"
	"sync"
	"syscall"
	"time"

	"sessiontree/internal/session/catalog"
	"sessiontree/internal/session/follow"
	"sessiontree/internal/session/format"
	"sessiontree/internal/session/share"
	"sessiontree/internal/session/store"
	"sessiontree/internal/session/watch"
	"sessiontree/internal/web"
	"sessiontree/internal/web/auth"
	"sessiontree/internal/web/view"
)

// app holds the components of a running server.
type app struct {
	web      *web.Server
	access   *auth.Policy
	conns    *auth.ConnLimit
	library  *store.Library
	follower *follow.Follower
	catalog  *catalog.Catalog
	watcher  *watch.Watcher
	log      *slog.Logger
}

// newApp connects files and pages: the watcher reports changed paths, the store reads the
// changes, the server notifies browsers.
func (p *program) newApp(o *serveOptions, dirs []string, state serverState, shareBase string, log *slog.Logger) (*app, error) {
	a := &app{log: log}
	hooks, err := p.newHookRunner()
	if err != nil {
		return nil, err
	}
	lib, err := store.New(store.Config{
		Formats: format.All, Roots: dirs, Home: p.home, FollowLinks: o.followLinks, Memory: int64(o.memory) / 2,
		StateDir: state.dir, ReadOnly: p.readOnly,
		OnChange: func(s *store.Session, c store.Change) { a.follower.SessionChanged(s, c) },
	})
	if err != nil {
		return nil, err
	}
	a.library = lib
	redactor := p.newLateRedactor()
	shares, err := a.openLiveShares(p, state.dir, redactor)
	if err != nil {
		return nil, err
	}
	a.catalog = catalog.New(catalog.Config{Library: lib, CacheDir: cacheDir(log), OnChange: func() { a.follower.ListChanged() }})
	a.follower = follow.New(follow.Config{
		Library: lib, Catalog: a.catalog, Shares: shares, Log: log,
		Watch: func(path string) func() { return a.watcher.ViewFile(path) },
	})
	a.access = auth.NewPolicy(auth.Config{Token: state.token, RequireToken: o.requireToken, Hosts: o.hosts, TLS: o.cert != "", Log: log})
	a.conns = auth.NewConnLimit(a.access)
	a.web, err = web.New(web.Config{
		Library: lib, Catalog: a.catalog, Follower: a.follower, View: p.newViewConfig(), Access: a.access,
		CountWatches: func() int { return a.watcher.WatchCount() },
		Log:          log, SessionDirs: dirs, MaxOutlineRows: int(o.memory) / 1500, Hooks: hooks, ReadOnly: p.readOnly, Redactor: redactor,
		Shares: shares, ShareBase: shareBase,
	})
	if err != nil {
		return nil, err
	}
	// Not the context of the command: the watcher must outlive the server.
	a.watcher, err = watch.New(context.Background(), watch.Config{VisitDirs: lib.VisitDirs, VisitDirsUnder: lib.VisitDirsUnder, OnChange: a.follower.PathChanged, OnFailure: a.warnUnwatched})
	if err != nil {
		a.web.Close()
		a.follower.Close()
		return nil, fmt.Errorf("watch: %w", err)
	}
	a.follower.Start()
	return a, nil
}

// openLiveShares returns what is shared, nil where nothing can be kept.
func (a *app) openLiveShares(p *program, state string, redactor lateRedactor) (*share.Shares, error) {
	if state == "" {
		return nil, nil
	}
	return share.New(share.Config{
		Dir: sharesDir(state), Formats: format.All, Home: p.home, Redactor: redactor, Log: a.log,
		Changed: func(s *store.Session, c store.Change) { a.follower.SnapshotChanged(s, c) },
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

// fillCatalog reads the list of sessions while pages are served, and reads again what
// changed before all directories were watched.
func (a *app) fillCatalog(ctx context.Context) {
	if err := a.catalog.Fill(ctx); err != nil && ctx.Err() == nil {
		a.log.Error("reading the list of sessions", "err", err)
	}
	select {
	case <-a.watcher.Ready():
		a.follower.Rescan(ctx)
		a.web.NoteActivity() // releases the memory that it used
	case <-ctx.Done():
	}
}

// leftoversInterval is the interval at which leftovers of killed processes are removed.
const leftoversInterval = time.Hour

// removeLeftoversHourly removes the leftovers of killed processes, now and every hour.
func (a *app) removeLeftoversHourly(ctx context.Context) {
	every := time.NewTicker(leftoversInterval)
	defer every.Stop()
	for {
		if err := a.library.RemoveLeftovers(ctx); err != nil && ctx.Err() == nil {
			a.log.Warn("temporary files of killed processes cannot be removed", "err", err)
		}
		select {
		case <-every.C:
		case <-ctx.Done():
			return
		}
	}
}

// serveListeners serves on all listeners until ctx ends or one of them fails.
func (a *app) serveListeners(ctx context.Context, o *serveOptions, listeners, shares []net.Listener) error {
	ctx, cancel := context.WithCancel(ctx)
	var filling sync.WaitGroup
	filling.Go(func() {
		a.fillCatalog(ctx)
		a.removeLeftoversHourly(ctx)
	})
	defer filling.Wait()
	defer cancel()
	srv := &http.Server{
		Handler: a.web.Handler(), ConnContext: a.access.ConnContext,
		ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 5 * time.Minute,
		ErrorLog: slog.NewLogLogger(a.log.Handler(), slog.LevelDebug),
	}
	readers, err := a.newShareServer()
	if err != nil {
		return err
	}
	failed := make(chan error, len(listeners)+len(shares))
	o.startServing(srv, listeners, a.conns.LimitListener, failed)
	o.startServing(readers, shares, a.conns.LimitShareListener, failed)
	select {
	case err = <-failed:
	case <-ctx.Done():
	}
	// Close the sockets first: Shutdown does not wait for them, but requests may.
	a.web.Close()
	stop, cancelShutdown := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancelShutdown()
	for _, one := range []*http.Server{srv, readers} {
		if one.Shutdown(stop) != nil {
			_ = one.Close()
		}
	}
	return err
}

// startServing serves on listeners in the background. limit bounds the number of
// connections.
func (o *serveOptions) startServing(srv *http.Server, listeners []net.Listener, limit func(net.Listener) net.Listener, failed chan<- error) {
	for _, l := range listeners {
		l = limit(l)
		go func() {
			if o.cert != "" {
				failed <- srv.ServeTLS(l, o.cert, o.key)
				return
			}
			failed <- srv.Serve(l)
		}()
	}
}

func (a *app) close() {
	_ = a.watcher.Close() // it only stops
	a.web.Close()
	a.follower.Close()
	a.access.Close()
	if err := a.catalog.Save(); err != nil {
		a.log.Error("saving the list of sessions", "err", err)
	}
}

// newViewConfig returns the view's configuration with the titles and glyphs of the
// formats.
func (p *program) newViewConfig() view.Config {
	titles, glyphs := map[string]string{}, map[string]string{}
	for _, f := range format.All {
		titles[f.Name], glyphs[f.Name] = f.Title, f.Glyph
	}
	return view.Config{
		Home:        p.home,
		FormatTitle: func(name string) string { return titles[name] },
		FormatGlyph: func(name string) string { return glyphs[name] },
	}
}
