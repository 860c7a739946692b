package serve

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"syscall"

	"sessiontree/internal/cli/statedir"
)

// openListeners listens on addr. For a loopback address it listens on both the IPv4 and
// the IPv6 loopback, because a browser may resolve "localhost" to either.
func openListeners(ctx context.Context, state statedir.Location, flag, addr string) ([]net.Listener, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, err
	}
	if !isLoopback(host) {
		l, err := listenTCP(ctx, "tcp", net.JoinHostPort(host, port))
		if err != nil {
			return nil, explainListenError(ctx, state, flag, addr, err)
		}
		return []net.Listener{l}, nil
	}
	first := "127.0.0.1"
	if ip, err := netip.ParseAddr(host); err == nil {
		first = ip.String()
	}
	// A port that is free on one loopback may be in use on the other. With port 0 try
	// another one.
	for try := 0; ; try++ {
		ls, err := listenLoopbacks(ctx, first, port)
		if err == nil {
			return ls, nil
		}
		if port != "0" || !errors.Is(err, syscall.EADDRINUSE) || try == 20 {
			return nil, explainListenError(ctx, state, flag, addr, err)
		}
	}
}

func isLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// listenLoopbacks listens on first and, if there is one, on the other loopback.
func listenLoopbacks(ctx context.Context, first, port string) ([]net.Listener, error) {
	other := "::1"
	if first == other {
		other = "127.0.0.1"
	}
	l, err := listenTCP(ctx, "tcp", net.JoinHostPort(first, port))
	if err != nil && isUnsupportedAddress(err) {
		first, other = other, first // the host has no IPv4
		l, err = listenTCP(ctx, "tcp", net.JoinHostPort(first, port))
	}
	if err != nil {
		return nil, err
	}
	got := strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
	second, err := listenTCP(ctx, "tcp", net.JoinHostPort(other, got))
	switch {
	case err == nil:
		return []net.Listener{l, second}, nil
	case errors.Is(err, syscall.EADDRINUSE):
		_ = l.Close()
		return nil, err
	}
	return []net.Listener{l}, nil // this system lacks the other loopback
}

// isUnsupportedAddress reports whether the system lacks the address or its family.
func isUnsupportedAddress(err error) bool {
	return errors.Is(err, syscall.EADDRNOTAVAIL) || errors.Is(err, syscall.EAFNOSUPPORT)
}

// listenTCP is a variable so that tests can replace it.
var listenTCP = func(ctx context.Context, network, addr string) (net.Listener, error) {
	var c net.ListenConfig
	return c.Listen(ctx, network, addr)
}

func closeListeners(ls []net.Listener) {
	for _, l := range ls {
		_ = l.Close()
	}
}

// explainListenError explains an error of listening. If another explorer of this user has
// the port, the error contains its address.
func explainListenError(ctx context.Context, state statedir.Location, flag, addr string, err error) error {
	if !errors.Is(err, syscall.EADDRINUSE) {
		return fmt.Errorf("listen on %s: %w", addr, err)
	}
	if s, ok := findServerOnPort(ctx, state, addr); ok {
		return fmt.Errorf("an explorer is already running on %s: open %s or choose another port with %s %s", addr, s.BrowserURL, flag, withAnyPort(addr))
	}
	return fmt.Errorf("another program is listening on %s: choose another port with %s %s", addr, flag, withAnyPort(addr))
}

// withAnyPort replaces the port of an address by 0.
func withAnyPort(addr string) string {
	host, _, _ := net.SplitHostPort(addr)
	return net.JoinHostPort(host, "0")
}

// browserNeedsToken reports whether a browser on this computer needs the token.
func (o *Options) browserNeedsToken(ls []net.Listener) bool {
	return o.requireToken || len(o.hosts) > 0 || !ls[0].Addr().(*net.TCPAddr).IP.IsLoopback()
}

// listenerURL returns the URL of a listener for a browser on this computer.
func listenerURL(l net.Listener, tls bool) string {
	a := l.Addr().(*net.TCPAddr)
	u := url.URL{Scheme: "http", Host: a.String(), Path: "/"}
	if a.IP.IsUnspecified() {
		u.Host = net.JoinHostPort("localhost", strconv.Itoa(a.Port))
	}
	if tls {
		u.Scheme = "https"
	}
	return u.String()
}

// addQuery adds a query to an address if needed.
func addQuery(addr string, needed bool, query string) string {
	if !needed {
		return addr
	}
	return addr + "?" + query
}

// AddToken adds the token to an address.
func AddToken(addr, token string) string { return addQuery(addr, true, tokenQuery(token)) }

// tokenQuery returns the query that contains the token.
func tokenQuery(token string) string { return url.Values{"token": {token}}.Encode() }
