// Package serve runs the server: it listens, connects the parts, records that it is
// running and opens the browser.
package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"

	"github.com/spf13/pflag"

	"sessiontree/internal/cli/memlimit"
	"sessiontree/internal/cli/statedir"
	"sessiontree/internal/session/hook"
	"sessiontree/internal/session/redact"
	"sessiontree/internal/web"
	"sessiontree/internal/web/view"
)

// Options are the settings of a server that users choose.
type Options struct {
	listen       string
	noOpen       bool
	requireToken bool
	hosts        []string
	cert, key    string
	memory       memlimit.Size
	followLinks  bool
	projectDirs  []string
	debug        bool
	demo         bool
	shareListen  string
	shareURL     string
}

// defaultMemory is what serve uses without a flag. With 20,000 sessions more would let the list be read
// a tenth sooner, once, and leave the heap with twice as large holes; searches would not be faster.
// While a session is opened loadMemory is added, or a large one would take half as long again.
const (
	defaultMemory memlimit.Size = 150 << 20
	loadMemory    memlimit.Size = 96 << 20
)

// NewOptions returns the defaults.
func NewOptions() *Options { return &Options{memory: defaultMemory} }

// AddFlags adds the flags that set the options.
func (o *Options) AddFlags(f *pflag.FlagSet) {
	f.StringVar(&o.listen, "listen", "127.0.0.1:7777", "listen on `ADDR`; port 0 picks a free one")
	f.BoolVar(&o.noOpen, "no-open", false, "do not open the browser")
	f.BoolVar(&o.requireToken, "require-token", false, "require the token from everyone, including this user")
	f.StringSliceVar(&o.hosts, "host", nil, "also accept this host `NAME`; everyone then needs the token")
	f.StringVar(&o.cert, "tls-cert", "", "serve over TLS with this certificate `FILE`")
	f.StringVar(&o.key, "tls-key", "", "the certificate's private key `FILE`")
	f.Var(&o.memory, "memory", "use about this much memory, like 256M")
	f.BoolVar(&o.followLinks, "follow-links", false, "follow links inside the directories")
	f.StringArrayVar(&o.projectDirs, "project-dir", nil, "show who wrote the lines of files below this `DIR`; repeatable")
	f.BoolVar(&o.debug, "debug", false, "log requests and changes")
	f.StringVar(&o.shareListen, "share-listen", "", "also serve shares, and nothing else, on `ADDR`, without a token")
	f.StringVar(&o.shareURL, "share-url", "", "base `URL` of share links, like https://share.example")
	f.BoolVar(&o.demo, "demo", false, "show the built-in sample sessions")
}

// CheckFlags returns an error for invalid combinations of flags.
func (o *Options) CheckFlags(dirs []string) error {
	if _, _, err := net.SplitHostPort(o.listen); err != nil {
		return fmt.Errorf("--listen %s: want HOST:PORT", o.listen)
	}
	if (o.cert == "") != (o.key == "") {
		return errors.New("--tls-cert and --tls-key go together")
	}
	if o.demo && len(dirs) > 0 {
		return errors.New("--demo shows its own sessions, not those of a directory")
	}
	if err := o.resolveProjectDirs(); err != nil {
		return err
	}
	return o.checkShareFlags()
}

// resolveProjectDirs makes the directories of --project-dir absolute.
func (o *Options) resolveProjectDirs() error {
	for i, dir := range o.projectDirs {
		abs, err := filepath.Abs(dir)
		if err != nil {
			return fmt.Errorf("--project-dir %s: %w", dir, err)
		}
		if info, err := os.Stat(abs); err != nil || !info.IsDir() {
			return fmt.Errorf("--project-dir %s: it is not a directory", dir)
		}
		o.projectDirs[i] = abs
	}
	return nil
}

// Config is what the server needs from the rest of the program.
type Config struct {
	Home        string
	ReadOnly    bool
	State       statedir.Location
	Hooks       *hook.Runner
	View        view.Config
	NewRedactor func() *redact.Rules
	Out, Err    io.Writer
}

// Run runs the server until ctx ends.
func Run(ctx context.Context, o *Options, c Config, dirs []string) error {
	log := newLogger(c.Err, o.debug)
	roots, err := findRoots(ctx, o, c, dirs)
	if err != nil {
		return err
	}
	defer roots.cleanup()
	state, err := c.State.OpenForServer(log)
	if err != nil {
		return err
	}
	listeners, err := o.openAllListeners(ctx, c.State)
	if err != nil {
		return err
	}
	a, err := newApp(o, c, roots, state, o.shareBaseURL(listeners.Shares), log)
	if err != nil {
		closeListeners(listeners.Pages)
		closeListeners(listeners.Shares)
		return err
	}
	defer a.close()
	forget, err := writeRecord(state.Dir, o.newRecord(listeners.Pages, listeners.Shares))
	if err != nil {
		log.Warn("other commands will not find this server, so explorer share cannot print links", "err", err)
	}
	defer forget()
	o.printAddresses(c.Out, listeners, state.Token)
	if !o.noOpen {
		addr := listenerURL(listeners.Pages[0], o.cert != "")
		openBrowser(addQuery(addr, o.browserNeedsToken(listeners.Pages), a.access.NewOneTimeCode()), log)
	}
	return a.run(ctx, listeners)
}

// openAllListeners listens for pages and, if requested, for shares.
func (o *Options) openAllListeners(ctx context.Context, state statedir.Location) (web.Listeners, error) {
	pages, err := openListeners(ctx, state, "--listen", o.listen)
	if err != nil {
		return web.Listeners{}, err
	}
	shares, err := o.listenShares(ctx, state)
	if err != nil {
		closeListeners(pages)
		return web.Listeners{}, err
	}
	return web.Listeners{Pages: pages, Shares: shares, CertFile: o.cert, KeyFile: o.key}, nil
}

// printAddresses prints where a browser finds the pages and the shares.
func (o *Options) printAddresses(out io.Writer, ls web.Listeners, token string) {
	addr := listenerURL(ls.Pages[0], o.cert != "")
	fmt.Fprintln(out, addQuery(addr, o.browserNeedsToken(ls.Pages), tokenQuery(token)))
	if base := o.shareBaseURL(ls.Shares); base != "" {
		fmt.Fprintln(out, "Shares: "+base+"/share/…"+o.shareListenNote(ls.Shares))
	}
}

// newLogger returns a logger to w, for warnings or with debug for everything.
func newLogger(w io.Writer, debug bool) *slog.Logger {
	level := slog.LevelWarn
	if debug {
		level = slog.LevelDebug
	}
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: level}))
}
