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

// checkShareFlags finds what makes no sense in how shares are served.
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

// listenShares opens the address on which shares are served, if there is one.
func (p *program) listenShares(ctx context.Context, o *serveOptions) ([]net.Listener, error) {
	if o.shareListen == "" {
		return nil, nil
	}
	return p.openListeners(ctx, "--share-listen", o.shareListen)
}

// shareBaseURL is what links to shares begin with; "" when they are served with the
// rest only.
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

// shareListenNote says where shares are listened for when their links do not: whoever
// stands between has to know.
func (o *serveOptions) shareListenNote(ls []net.Listener) string {
	if o.shareURL == "" || len(ls) == 0 {
		return ""
	}
	return " from " + ls[0].Addr().String()
}

// reachableHost is an address by which others reach this computer: one of its local
// network before any other, else its name.
func reachableHost() string {
	addrs, _ := net.InterfaceAddrs() // without any, the name has to do
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

// newShareServer serves shares to whoever has a link. Those are strangers: none of
// them may hold a connection for as long as he likes.
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
