// Package hub runs explorer hub: it serves the sessions that the devices of a team push.
package hub

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"net/url"
	"strings"

	"github.com/spf13/pflag"

	"sessiontree/internal/cli/memlimit"
	"sessiontree/internal/heap"
	"sessiontree/internal/session/format"
	"sessiontree/internal/session/hub"
	"sessiontree/internal/session/team"
	webhub "sessiontree/internal/web/hub"
	"sessiontree/internal/web/teampage"
	"sessiontree/internal/web/view"
)

// Options are the settings of a hub that users choose.
type Options struct {
	listen      string
	store       string
	db, blobs   string
	url         string
	cert, key   string
	behindProxy bool
	proxyHeader string
	proxies     []string
	oidc        oidcOptions
	debug       bool
	memory      memlimit.Size
}

// defaultMemory is what a hub uses without a flag: it has the lists of all people.
const defaultMemory memlimit.Size = 256 << 20

// NewOptions returns the options without flags.
func NewOptions() *Options { return &Options{memory: defaultMemory} }

// AddFlags adds the flags that set the options.
func (o *Options) AddFlags(f *pflag.FlagSet) {
	f.StringVar(&o.listen, "listen", "127.0.0.1:7878", "listen on `ADDR`")
	o.AddStoreFlags(f)
	f.StringVar(&o.cert, "tls-cert", "", "serve over TLS with this certificate `FILE`")
	f.StringVar(&o.key, "tls-key", "", "the certificate's private key `FILE`")
	f.BoolVar(&o.behindProxy, "behind-proxy", false, "a proxy in front of the hub serves TLS")
	f.StringVar(&o.proxyHeader, "proxy-header", "", "people sign in at a proxy, which names them in the header `NAME`")
	f.StringArrayVar(&o.proxies, "proxy", nil, "address or `CIDR` of a proxy whose header counts; repeatable")
	o.oidc.addFlags(f)
	f.Var(&o.memory, "memory", "use about this much memory, like 256M")
	f.BoolVar(&o.debug, "debug", false, "log requests and changes")
}

// AddStoreFlags adds the flags that name the store.
func (o *Options) AddStoreFlags(f *pflag.FlagSet) {
	f.StringVar(&o.store, "store", "", "store everything in `DIR`")
	f.StringVar(&o.db, "db", "", "store everything in the PostgreSQL database at `URL`, for several hubs; the environment may have the password: PGPASSWORD")
	f.StringVar(&o.blobs, "blobs", "", "with --db: move bytes to the S3 bucket at `URL`, like s3://bucket?endpoint=https://host")
	f.StringVar(&o.url, "url", "", "`URL` that people and devices use, like https://hub.example")
}

// CheckFlags returns an error for invalid combinations of flags.
func (o *Options) CheckFlags() error {
	host, _, err := net.SplitHostPort(o.listen)
	switch {
	case err != nil:
		return fmt.Errorf("--listen %s: want HOST:PORT", o.listen)
	case o.checkStore() != nil:
		return o.checkStore()
	case (o.cert == "") != (o.key == ""):
		return errors.New("--tls-cert and --tls-key go together")
	case (o.proxyHeader == "") != (len(o.proxies) == 0):
		return errors.New("--proxy-header and --proxy go together: everybody can send a header")
	case o.cert == "" && !o.behindProxy && !isLoopback(host):
		return errors.New("sessions would be sent unencrypted: add --tls-cert and --tls-key, or --behind-proxy if a proxy serves TLS")
	}
	return o.oidc.check()
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
	o.memory.Apply()
	heap.DropBallast()
	log := o.newLogger(c.Err)
	store, closeStore, err := o.openStore(ctx, log)
	if err != nil {
		return err
	}
	defer closeStore()
	if err := store.VerifyArchive(ctx); err != nil {
		return err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", o.listen)
	if err != nil {
		return fmt.Errorf("--listen: %w", err)
	}
	address := o.publicURL(listener.Addr())
	server, err := webhub.New(webhub.Config{
		Hub: store, Formats: format.All, View: c.View, URL: address, ProxyHeader: o.proxyHeader, Proxies: proxies,
		Provider: o.oidc.newProvider(address), Log: log,
	})
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	defer server.Close()
	if err := o.writeURL(address); err != nil {
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
	people, err := store.Registry.ListPeople(ctx)
	if err != nil {
		return fmt.Errorf("the people of the hub cannot be read: %w", err)
	}
	if len(people) > 0 || proxied {
		return nil
	}
	code, err := store.Invite(ctx, "", "Admin", team.Admin)
	if err != nil {
		return fmt.Errorf("the first admin cannot be invited: %w", err)
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
	if err := o.checkStore(); err != nil {
		return err
	}
	address, err := o.readURL()
	if err != nil {
		return err
	}
	store, closeStore, err := o.openStore(ctx, o.newLogger(c.Err))
	if err != nil {
		return err
	}
	defer closeStore()
	code, err := store.Invite(ctx, "", name, team.Role(role))
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(c.Out, teampage.SignInLink(address, code))
	return err
}
