package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
)

// serveOptions holds the flags of serve.
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
	shareListen  string
	shareURL     string
}

func serveCommand(p *program) *cobra.Command {
	o := &serveOptions{memory: 256 << 20}
	cmd := &cobra.Command{Use: "serve [DIR...]", Short: "Show sessions in the browser", Args: cobra.ArbitraryArgs}
	f := cmd.Flags()
	f.StringVar(&o.listen, "listen", "127.0.0.1:7777", "listen on `ADDR`; port 0 picks a free one")
	f.BoolVar(&o.noOpen, "no-open", false, "do not open the browser")
	f.BoolVar(&o.requireToken, "require-token", false, "require the token from everyone, including this user")
	f.StringSliceVar(&o.hosts, "host", nil, "also accept this host `NAME`; everyone then needs the token")
	f.StringVar(&o.cert, "tls-cert", "", "serve over TLS with this certificate `FILE`")
	f.StringVar(&o.key, "tls-key", "", "the certificate's private key `FILE`")
	f.Var(&o.memory, "memory", "use about this much memory, like 256M")
	f.BoolVar(&o.followLinks, "follow-links", false, "follow links inside the directories")
	f.BoolVar(&o.debug, "debug", false, "log requests and changes")
	f.StringVar(&o.shareListen, "share-listen", "", "also serve shares, and nothing else, on `ADDR`, without a token")
	f.StringVar(&o.shareURL, "share-url", "", "base `URL` of share links, like https://share.example")
	f.BoolVar(&o.demo, "demo", false, "show the built-in sample sessions")
	cmd.RunE = func(cmd *cobra.Command, dirs []string) error {
		if err := o.checkFlags(dirs); err != nil {
			return usageError{err}
		}
		if !cmd.HasParent() { // the verb is missing or misspelled
			if err := checkVerbOrDir(dirs); err != nil {
				return usageError{err}
			}
		}
		return p.runServe(cmd.Context(), o, dirs)
	}
	return cmd
}

// checkFlags returns an error for invalid combinations of flags.
func (o *serveOptions) checkFlags(dirs []string) error {
	if _, _, err := net.SplitHostPort(o.listen); err != nil {
		return fmt.Errorf("--listen %s: want HOST:PORT", o.listen)
	}
	if (o.cert == "") != (o.key == "") {
		return errors.New("--tls-cert and --tls-key go together")
	}
	if o.demo && len(dirs) > 0 {
		return errors.New("--demo shows its own sessions, not those of a directory")
	}
	return o.checkShareFlags()
}

// checkVerbOrDir returns an error if the first argument is neither a verb nor a
// directory.
func checkVerbOrDir(args []string) error {
	if len(args) == 0 || strings.ContainsRune(args[0], filepath.Separator) {
		return nil
	}
	if _, err := os.Stat(args[0]); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%q is neither a verb nor a directory here; explorer --help lists the verbs", args[0])
	}
	return nil
}

// runServe runs the server until ctx ends.
func (p *program) runServe(ctx context.Context, o *serveOptions, dirs []string) error {
	log := p.newLogger(o.debug)
	o.memory.applyMemoryLimit()
	dirs, cleanup, err := p.findRoots(ctx, o, dirs)
	if err != nil {
		return err
	}
	defer cleanup()
	state, err := p.openServerState(log)
	if err != nil {
		return err
	}
	listeners, err := p.openListeners(ctx, "--listen", o.listen)
	if err != nil {
		return err
	}
	shares, err := p.listenShares(ctx, o)
	if err != nil {
		closeListeners(listeners)
		return err
	}
	a, err := p.newApp(o, dirs, state, o.shareBaseURL(shares), log)
	if err != nil {
		closeListeners(listeners)
		closeListeners(shares)
		return err
	}
	defer a.close()
	base := o.shareBaseURL(shares)
	forget, err := writeServerRecord(state.dir, o.newServerRecord(listeners, shares))
	if err != nil {
		log.Warn("other commands will not find this server, so explorer share cannot print links", "err", err)
	}
	defer forget()
	addr := listenerURL(listeners[0], o.cert != "")
	fmt.Fprintln(p.out, addQuery(addr, o.browserNeedsToken(listeners), tokenQuery(state.token)))
	if base != "" {
		fmt.Fprintln(p.out, "Shares: "+base+"/share/…"+o.shareListenNote(shares))
	}
	if !o.noOpen {
		openBrowser(addQuery(addr, o.browserNeedsToken(listeners), a.access.NewOneTimeCode()), log)
	}
	return a.serveListeners(ctx, o, listeners, shares)
}

// newLogger returns a logger to stderr, for warnings or with debug for everything.
func (p *program) newLogger(debug bool) *slog.Logger {
	level := slog.LevelWarn
	if debug {
		level = slog.LevelDebug
	}
	return slog.New(slog.NewTextHandler(p.err, &slog.HandlerOptions{Level: level}))
}

// cacheDir returns the directory of cached summaries, "" if there is none.
func cacheDir(log *slog.Logger) string {
	dir, err := os.UserCacheDir()
	if err != nil {
		log.Debug("no cache", "err", err)
		return ""
	}
	return dir + "/session-explorer"
}
