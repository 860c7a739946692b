package web

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"rsc.io/qr"

	"sessiontree/web/components"
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

// quietZone is the width of the light border around a QR code, in units.
const quietZone = 4

// newQRCode returns the QR code of a link, or nil if the link is too long.
func newQRCode(link string) *components.QRCodeModel {
	c, err := qr.Encode(link, qr.M)
	if err != nil {
		return nil
	}
	var path strings.Builder
	for y := range c.Size {
		for x := 0; x < c.Size; x++ {
			run := 0
			for c.Black(x+run, y) {
				run++
			}
			if run > 0 {
				fmt.Fprintf(&path, "M%d %dh%dv1h-%dz", x+quietZone, y+quietZone, run, run)
				x += run
			}
		}
	}
	return &components.QRCodeModel{Size: c.Size + 2*quietZone, Path: path.String()}
}
