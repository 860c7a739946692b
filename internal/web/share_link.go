package web

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
)

// shareLinkBase returns the start of links to shares, and whether they open on this
// computer only.
func (h *shareHandlers) shareLinkBase(r *http.Request) (base string, local bool) {
	base = h.shareBase
	if base == "" {
		base = "http://" + r.Host
		if h.servesTLS {
			base = "https://" + r.Host
		}
	}
	u, err := url.Parse(base)
	return strings.TrimSuffix(base, "/"), err != nil || isLoopbackHost(u.Host)
}

// isLoopbackHost reports whether a host, with or without a port, is a loopback address.
func isLoopbackHost(host string) bool {
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	host = strings.Trim(host, "[]")
	ip, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && ip.Unmap().IsLoopback()
}
