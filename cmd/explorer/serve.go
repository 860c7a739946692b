package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/spf13/cobra"

	"sessiontree/internal/session/catalog"
	"sessiontree/internal/session/format"
	"sessiontree/internal/session/store"
	"sessiontree/internal/session/watch"
	"sessiontree/internal/web"
	"sessiontree/internal/web/view"
)

// serveOptions is the command line of serve.
type serveOptions struct {
	listen       string
	noOpen       bool
	requireToken bool
	hosts        []string
	cert, key    string
	memory       byteSize
	followLinks  bool
	debug        bool
	demo         bool
}

func serveCommand(p *program) *cobra.Command {
	o := &serveOptions{memory: 256 << 20}
	cmd := &cobra.Command{Use: "serve [DIR...]", Short: "Show sessions in the browser", Args: cobra.ArbitraryArgs}
	f := cmd.Flags()
	f.StringVar(&o.listen, "listen", "127.0.0.1:7777", "listen on `ADDR`; port 0 picks a free one")
	f.BoolVar(&o.noOpen, "no-open", false, "do not open the browser")
	f.BoolVar(&o.requireToken, "require-token", false, "ask everybody for the token, this user too")
	f.StringSliceVar(&o.hosts, "host", nil, "also answer to this host `NAME`")
	f.StringVar(&o.cert, "tls-cert", "", "serve over TLS with this certificate `FILE`")
	f.StringVar(&o.key, "tls-key", "", "the certificate's private key `FILE`")
	f.Var(&o.memory, "memory", "keep to about this much memory, like 256M")
	f.BoolVar(&o.followLinks, "follow-links", false, "follow links inside the directories")
	f.BoolVar(&o.debug, "debug", false, "log requests and changes")
	f.BoolVar(&o.demo, "demo", false, "show the built-in sample sessions")
	cmd.RunE = func(cmd *cobra.Command, dirs []string) error {
		if (o.cert == "") != (o.key == "") {
			return usageError{errors.New("--tls-cert and --tls-key go together")}
		}
		if o.demo && len(dirs) > 0 {
			return usageError{errors.New("--demo shows its own sessions, not those of a directory")}
		}
		return p.serve(cmd.Context(), o, dirs)
	}
	return cmd
}

// serve runs until ctx ends.
func (p *program) serve(ctx context.Context, o *serveOptions, dirs []string) error {
	log := p.logger(o.debug)
	o.memory.apply()
	dirs, cleanup, err := p.roots(ctx, o, dirs)
	if err != nil {
		return err
	}
	defer cleanup()
	token, err := p.token()
	if err != nil {
		return err
	}
	listeners, err := listen(ctx, o.listen)
	if err != nil {
		return err
	}
	a, err := p.assemble(o, dirs, token, log)
	if err != nil {
		closeAll(listeners)
		return err
	}
	defer a.close()
	addr := address(listeners[0], o.cert != "", needsToken(listeners, o), token)
	fmt.Fprintln(p.out, addr)
	if !o.noOpen {
		openBrowser(addr, log)
	}
	go a.fill(ctx, log)
	return a.run(ctx, o, listeners)
}

// app is everything that serve puts together.
type app struct {
	web     *web.Server
	catalog *catalog.Catalog
	watcher *watch.Watcher
}

// assemble wires files to pages: the watcher says that a path changed, the store
// finds out how, the server tells browsers.
func (p *program) assemble(o *serveOptions, dirs []string, token string, log *slog.Logger) (*app, error) {
	a := &app{}
	lib, err := store.New(store.Config{
		Formats: format.All, Roots: dirs, Home: p.home, FollowLinks: o.followLinks, Memory: int64(o.memory) / 2,
		Changed: func(s *store.Session, c store.Change) { a.web.SessionChanged(s, c) },
	})
	if err != nil {
		return nil, err
	}
	a.catalog = catalog.New(catalog.Config{Library: lib, CacheDir: cacheDir(log), Changed: func() { a.web.LibraryChanged() }})
	a.web, err = web.New(web.Config{
		Library: lib, Catalog: a.catalog, View: view.New(p.viewConfig()),
		Watch: func(path string) func() { return a.watcher.View(path) },
		Log:   log, LookedIn: dirs, Outlines: int(o.memory) / 1500,
		Token: token, RequireToken: o.requireToken, Hosts: o.hosts, TLS: o.cert != "",
	})
	if err != nil {
		return nil, err
	}
	// Not the context of the command: the watcher ends after the server has.
	a.watcher, err = watch.New(context.Background(), watch.Config{Dirs: lib.Dirs, Changed: a.web.Changed})
	if err != nil {
		a.web.Close()
		return nil, fmt.Errorf("watch: %w", err)
	}
	return a, nil
}

// fill reads the list of sessions while pages are served already.
func (a *app) fill(ctx context.Context, log *slog.Logger) {
	if err := a.catalog.Fill(ctx); err != nil && ctx.Err() == nil {
		log.Error("reading the list of sessions", "err", err)
	}
}

// run serves on all listeners until ctx ends or one of them fails.
func (a *app) run(ctx context.Context, o *serveOptions, listeners []net.Listener) error {
	srv := &http.Server{
		Handler: a.web.Handler(), ConnContext: a.web.ConnContext,
		ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 5 * time.Minute,
		ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelDebug),
	}
	failed := make(chan error, len(listeners))
	for _, l := range listeners {
		go func() {
			if o.cert != "" {
				failed <- srv.ServeTLS(l, o.cert, o.key)
				return
			}
			failed <- srv.Serve(l)
		}()
	}
	var err error
	select {
	case err = <-failed:
	case <-ctx.Done():
	}
	// Sockets are ended first: Shutdown does not wait for them, but the requests it
	// waits for may.
	a.web.Close()
	stop, cancel := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancel()
	if srv.Shutdown(stop) != nil {
		_ = srv.Close()
	}
	return err
}

func (a *app) close() {
	_ = a.watcher.Close() // it only stops
	a.web.Close()
}

// logger writes to stderr: warnings, and with --debug everything.
func (p *program) logger(debug bool) *slog.Logger {
	level := slog.LevelWarn
	if debug {
		level = slog.LevelDebug
	}
	return slog.New(slog.NewTextHandler(p.err, &slog.HandlerOptions{Level: level}))
}

// cacheDir is where summaries are kept between starts; without one all is read
// again.
func cacheDir(log *slog.Logger) string {
	dir, err := os.UserCacheDir()
	if err != nil {
		log.Debug("no cache", "err", err)
		return ""
	}
	return dir + "/session-explorer"
}

// viewConfig tells pages how formats are called.
func (p *program) viewConfig() view.Config {
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
