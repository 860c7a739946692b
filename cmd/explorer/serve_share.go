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

// checkShares finds what makes no sense in how shares are served.
func (o *serveOptions) checkShares() error {
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
	return p.listen(ctx, "--share-listen", o.shareListen)
}

// shareBase is what links to shares begin with; "" when they are served with the
// rest only.
func (o *serveOptions) shareBase(ls []net.Listener) string {
	if o.shareURL != "" {
		return strings.TrimRight(o.shareURL, "/")
	}
	if len(ls) == 0 {
		return ""
	}
	a := ls[0].Addr().(*net.TCPAddr)
	u := url.URL{Scheme: "http", Host: a.String()}
	if a.IP.IsUnspecified() {
		u.Host = net.JoinHostPort(ownHost(), strconv.Itoa(a.Port))
	}
	if o.cert != "" {
		u.Scheme = "https"
	}
	return u.String()
}

// shareAddress says where shares are listened for when their links do not: whoever
// stands between has to know.
func (o *serveOptions) shareAddress(ls []net.Listener) string {
	if o.shareURL == "" || len(ls) == 0 {
		return ""
	}
	return " from " + ls[0].Addr().String()
}

// ownHost is an address by which others reach this computer: one of its local
// network before any other, else its name.
func ownHost() string {
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

// shareServer serves shares to whoever has a link. Those are strangers: none of
// them may hold a connection for as long as he likes.
func (a *app) shareServer() (*http.Server, error) {
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
