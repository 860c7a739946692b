// Package hub runs explorer hub: it serves the sessions that the devices of a team push.
package hub

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"sessiontree/internal/session/format"
	"sessiontree/internal/session/hub"
	"sessiontree/internal/session/team"
	webhub "sessiontree/internal/web/hub"
	"sessiontree/internal/web/teampage"
	"sessiontree/internal/web/view"
)

// urlName is the name of the file in the store with the URL of the hub, for explorer hub
// invite.
const urlName = "url"

// Options are the settings of a hub that users choose.
type Options struct {
	listen      string
	store       string
	url         string
	cert, key   string
	behindProxy bool
	proxyHeader string
	proxies     []string
	debug       bool
}

// AddFlags adds the flags that set the options.
func (o *Options) AddFlags(f *pflag.FlagSet) {
	f.StringVar(&o.listen, "listen", "127.0.0.1:7878", "listen on `ADDR`")
	o.AddStoreFlag(f)
	f.StringVar(&o.url, "url", "", "`URL` that people and devices use, like https://hub.example")
	f.StringVar(&o.cert, "tls-cert", "", "serve over TLS with this certificate `FILE`")
	f.StringVar(&o.key, "tls-key", "", "the certificate's private key `FILE`")
	f.BoolVar(&o.behindProxy, "behind-proxy", false, "a proxy in front of the hub serves TLS")
	f.StringVar(&o.proxyHeader, "proxy-header", "", "people sign in at a proxy, which names them in the header `NAME`")
	f.StringArrayVar(&o.proxies, "proxy", nil, "address or `CIDR` of a proxy whose header counts; repeatable")
	f.BoolVar(&o.debug, "debug", false, "log requests and changes")
}

// AddStoreFlag adds the flag that names the store.
func (o *Options) AddStoreFlag(f *pflag.FlagSet) {
	f.StringVar(&o.store, "store", "", "store everything in `DIR`")
}

// CheckFlags returns an error for invalid combinations of flags.
func (o *Options) CheckFlags() error {
	host, _, err := net.SplitHostPort(o.listen)
	switch {
	case err != nil:
		return fmt.Errorf("--listen %s: want HOST:PORT", o.listen)
	case o.store == "":
		return errors.New("hub needs --store DIR")
	case (o.cert == "") != (o.key == ""):
		return errors.New("--tls-cert and --tls-key go together")
	case (o.proxyHeader == "") != (len(o.proxies) == 0):
		return errors.New("--proxy-header and --proxy go together: everybody can send a header")
	case o.cert == "" && !o.behindProxy && !isLoopback(host):
		return errors.New("sessions would be sent unencrypted: add --tls-cert and --tls-key, or --behind-proxy if a proxy serves TLS")
	}
	return nil
}

// isLoopback reports whether a host is this computer only.
func isLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// Config is what a hub needs from the rest of the program.
type Config struct {
	View     view.Config
	Out, Err io.Writer
}

// Run serves the hub until ctx ends.
func Run(ctx context.Context, o *Options, c Config) error {
	proxies, err := o.parseProxies()
	if err != nil {
		return err
	}
	store, err := hub.New(o.store, nil)
	if err != nil {
		return err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", o.listen)
	if err != nil {
		return fmt.Errorf("--listen: %w", err)
	}
	address := o.publicURL(listener.Addr())
	level := slog.LevelWarn
	if o.debug {
		level = slog.LevelDebug
	}
	server, err := webhub.New(webhub.Config{
		Hub: store, Formats: format.All, View: c.View, URL: address, ProxyHeader: o.proxyHeader, Proxies: proxies,
		Log: slog.New(slog.NewTextHandler(c.Err, &slog.HandlerOptions{Level: level})),
	})
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	defer server.Close()
	if err := os.WriteFile(filepath.Join(o.store, urlName), []byte(address+"\n"), 0o600); err != nil {
		return errors.Join(err, listener.Close())
	}
	fmt.Fprintln(c.Out, address)
	if err := c.printFirstLink(ctx, store, address, o.proxyHeader != ""); err != nil {
		return errors.Join(err, listener.Close())
	}
	return server.Serve(ctx, listener, o.cert, o.key)
}

// publicURL returns the URL that people and devices use.
func (o *Options) publicURL(listening net.Addr) string {
	if o.url != "" {
		return strings.TrimSuffix(o.url, "/")
	}
	u := url.URL{Scheme: "http", Host: listening.String()}
	if o.cert != "" {
		u.Scheme = "https"
	}
	return u.String()
}

// printFirstLink prints the link that signs in the first admin, while nobody has signed in.
func (c Config) printFirstLink(ctx context.Context, store *hub.Hub, address string, proxied bool) error {
	people, err := store.Registry.ListPeople()
	if err != nil || len(people) > 0 || proxied {
		return err
	}
	code, err := store.Invite(ctx, "", "Admin", team.Admin)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.Out, "Sign in as the first admin, once, within 7 days: %s\n", teampage.SignInLink(address, code))
	return err
}

// parseProxies returns the addresses of --proxy.
func (o *Options) parseProxies() (proxies []netip.Prefix, err error) {
	for _, text := range o.proxies {
		prefix, err := netip.ParsePrefix(text)
		if err != nil {
			addr, err := netip.ParseAddr(text)
			if err != nil {
				return nil, fmt.Errorf("--proxy %s: want an address or a CIDR like 10.0.0.0/8", text)
			}
			prefix = netip.PrefixFrom(addr, addr.BitLen())
		}
		proxies = append(proxies, prefix.Masked())
	}
	return proxies, nil
}

// Invite adds a person and prints the link that signs the person in.
func Invite(ctx context.Context, o *Options, c Config, name, role string) error {
	if o.store == "" {
		return errors.New("invite needs --store DIR")
	}
	address, err := os.ReadFile(filepath.Join(o.store, urlName))
	if err != nil {
		return fmt.Errorf("there is no hub in %s; start it first with explorer hub --store %s", o.store, o.store)
	}
	store, err := hub.New(o.store, nil)
	if err != nil {
		return err
	}
	code, err := store.Invite(ctx, "", name, team.Role(role))
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(c.Out, teampage.SignInLink(strings.TrimSpace(string(address)), code))
	return err
}
