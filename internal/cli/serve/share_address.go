package serve

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"os"
	"strconv"
	"strings"

	"sessiontree/internal/cli/statedir"
)

// checkShareFlags returns an error for invalid flags about shares.
func (o *Options) checkShareFlags() error {
	if o.shareListen != "" {
		if _, _, err := net.SplitHostPort(o.shareListen); err != nil {
			return fmt.Errorf("--share-listen %s: want HOST:PORT", o.shareListen)
		}
	}
	if o.shareURL == "" {
		return nil
	}
	return CheckShareURL(o.shareURL)
}

// listenShares listens on the address for shares, if one is given.
func (o *Options) listenShares(ctx context.Context, state statedir.Location) ([]net.Listener, error) {
	if o.shareListen == "" {
		return nil, nil
	}
	return openListeners(ctx, state, "--share-listen", o.shareListen)
}

// shareBaseURL returns the beginning of links to shares, "" if the main listener serves
// shares.
func (o *Options) shareBaseURL(ls []net.Listener) string {
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
func (o *Options) shareListenNote(ls []net.Listener) string {
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

// CheckShareURL returns an error if text cannot be the beginning of links.
func CheckShareURL(text string) error {
	u, err := url.Parse(text)
	if err != nil {
		return fmt.Errorf("--share-url %s: not an address", text)
	}
	switch {
	case u.Scheme != "http" && u.Scheme != "https", u.Hostname() == "":
		return fmt.Errorf("--share-url %s: want http://HOST or https://HOST", text)
	case u.User != nil, strings.Trim(u.Path, "/") != "", u.RawQuery != "", u.ForceQuery, u.Fragment != "":
		return errors.New("--share-url must be a scheme and a host only")
	}
	return nil
}

// FindShareURL returns the beginning of links: named if it is set, else that of the
// running server. It returns an error if no server is running.
func FindShareURL(ctx context.Context, state statedir.Location, named string) (string, error) {
	if named != "" {
		return strings.TrimRight(named, "/"), nil
	}
	s, ok, err := FindRunning(ctx, state)
	if err != nil {
		return "", err
	}
	if !ok || CheckShareURL(s.ShareURL) != nil {
		return "", errNoServer
	}
	return s.ShareURL, nil
}

// errNoServer is returned if no server is running that a link could point to.
var errNoServer = errors.New("nothing was shared: no explorer is running, so the link would not open. Start one with explorer serve, or set the address of links with --share-url")
