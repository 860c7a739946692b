package main

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"
)

// checkShareFlags returns an error for invalid flags about shares.
func (o *serveOptions) checkShareFlags() error {
	if o.shareListen != "" {
		if _, _, err := net.SplitHostPort(o.shareListen); err != nil {
			return fmt.Errorf("--share-listen %s: want HOST:PORT", o.shareListen)
		}
	}
	if o.shareURL == "" {
		return nil
	}
	return checkShareURL(o.shareURL)
}

// listenShares listens on the address for shares, if one is given.
func (p *program) listenShares(ctx context.Context, o *serveOptions) ([]net.Listener, error) {
	if o.shareListen == "" {
		return nil, nil
	}
	return p.openListeners(ctx, "--share-listen", o.shareListen)
}

// shareBaseURL returns the beginning of links to shares, "" if the main listener serves
// shares.
func (o *serveOptions) shareBaseURL(ls []net.Listener) string {
	if o.shareURL != "" {
		return strings.TrimRight(o.shareURL, "/")
	}
	if len(ls) == 0 {
		return ""
	}
	a := ls[0].Addr().(*net.TCPAddr)
	u := url.URL{Scheme: "http", Host: a.String()}
	if a.IP.IsUnspecified() {
		u.Host = net.JoinHostPort(reachableHost(), strconv.Itoa(a.Port))
	}
	if o.cert != "" {
		u.Scheme = "https"
	}
	return u.String()
}

// shareListenNote returns the listening address of shares if links use another one, for
// the configuration of a proxy.
func (o *serveOptions) shareListenNote(ls []net.Listener) string {
	if o.shareURL == "" || len(ls) == 0 {
		return ""
	}
	return " from " + ls[0].Addr().String()
}

// reachableHost returns an address by which other computers reach this one: preferably a
// private IPv4 address, else another address, else the host name.
func reachableHost() string {
	addrs, _ := net.InterfaceAddrs() // without addresses the host name is used
	best := ""
	for _, a := range addrs {
		p, err := netip.ParsePrefix(a.String())
		ip := p.Addr().Unmap()
		switch {
		case err != nil || !ip.IsGlobalUnicast():
		case ip.Is4() && ip.IsPrivate():
			return ip.String()
		case best == "" || ip.Is4() && strings.Contains(best, ":"):
			best = ip.String()
		}
	}
	if best != "" {
		return best
	}
	if name, err := os.Hostname(); err == nil {
		return name
	}
	return "localhost"
}

// newShareServer returns the server for shares. Its clients are strangers, so all
// timeouts are set.
func (a *app) newShareServer() (*http.Server, error) {
	h, err := a.web.ShareHandler()
	if err != nil {
		return nil, err
	}
	return &http.Server{
		Handler: h, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 30 * time.Second, WriteTimeout: 10 * time.Minute,
		IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 32 << 10,
		ErrorLog: slog.NewLogLogger(a.log.Handler(), slog.LevelDebug),
	}, nil
}
