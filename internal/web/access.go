package web

import (
	"net"
	"net/http"
	"net/netip"
	"os"
	"strings"
)

// accessPolicy decides who may connect. Programs of the same user on this computer need no
// token; everybody else does.
type accessPolicy struct {
	token        string
	requireToken bool     // everybody needs the token
	allowedHosts []string // names accepted in the Host header besides those of this computer
	servesTLS    bool     // served over TLS
	ownUID       int      // the user of this process
	oneTimeCode  oneTimeCode
	// peerUID returns the user of a peer on this computer; known is false on systems that do
	// not report it.
	peerUID     func(peer, local netip.AddrPort) (uid int, known bool)
	closeLookup func() // releases the resources of peerUID
}

// newAccessPolicy returns the policy that c describes. A server with further host names is
// reached through a proxy or a tunnel, so the token is required then.
func newAccessPolicy(c Config) *accessPolicy {
	lookup := newPeerLookup()
	if c.peerUID == nil {
		c.peerUID = lookup.UID
	}
	return &accessPolicy{
		token:        c.Token,
		requireToken: c.RequireToken || len(c.Hosts) > 0,
		allowedHosts: c.Hosts,
		servesTLS:    c.TLS,
		ownUID:       os.Geteuid(),
		peerUID:      c.peerUID,
		closeLookup:  lookup.Close,
	}
}

// isTrusted reports whether a request needs no token: its peer is a program of the same
// user and forwards no request of another client.
func (a *accessPolicy) isTrusted(r *http.Request) bool {
	return !a.requireToken && !isForwarded(r) && a.isOwner(requestPeer(r))
}

// isAdmitted reports whether a request is trusted or has a valid cookie.
func (a *accessPolicy) isAdmitted(r *http.Request) bool { return a.isTrusted(r) || a.hasValidCookie(r) }

// requestPeer returns the peer that sent a request, or a peer without a user if it is
// unknown.
func requestPeer(r *http.Request) peer {
	if p, ok := r.Context().Value(peerKey{}).(peer); ok {
		return p
	}
	return peer{uid: noUser, uidKnown: true}
}

// isForwarded reports whether a proxy or a tunnel forwarded the request. The peer then does
// not identify the client.
func isForwarded(r *http.Request) bool {
	for name := range r.Header {
		switch {
		case name == "Forwarded", name == "Via", name == "X-Real-Ip", strings.HasPrefix(name, "X-Forwarded-"):
			return true
		}
	}
	return false
}

// requireAccess lets admitted requests through and redeems tokens and codes.
func (s *Server) requireAccess(next http.Handler) http.Handler {
	a := s.access
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch q := r.URL.Query(); {
		case q.Has(tokenParam) && a.isServerToken(q.Get(tokenParam)):
			a.setAccessCookie(w, r)
		case q.Has(codeParam) && s.redeemCode(r, q.Get(codeParam)):
			a.setAccessCookie(w, r)
		case a.isAdmitted(r):
			next.ServeHTTP(w, r)
		default:
			w.Header().Set("Connection", "close") // do not keep connections of clients without access
			s.writeError(w, r, errNoToken)
		}
	})
}

func localAddr(r *http.Request) string {
	if l, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr); ok {
		return l.String()
	}
	return ""
}

// checkHost refuses requests for host names that are not allowed. It prevents DNS
// rebinding: a foreign page could point its own name here and read the response.
func (s *Server) checkHost(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !isAllowedHost(r, s.access.allowedHosts) {
			s.writeError(w, r, errUnknownHost)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// isAllowedHost reports whether a request names this computer, by one of its addresses or
// by one of hosts.
func isAllowedHost(r *http.Request, hosts []string) bool {
	host := stripPort(r.Host)
	if strings.EqualFold(host, "localhost") {
		return true
	}
	for _, h := range hosts {
		if strings.EqualFold(host, h) {
			return true
		}
	}
	ip, err := netip.ParseAddr(host)
	if err != nil {
		return false
	}
	ip = ip.Unmap()
	// The server listens on the address that the peer connected to.
	local, err := netip.ParseAddrPort(localAddr(r))
	return ip.IsLoopback() || err == nil && local.Addr().Unmap().WithZone("") == ip.WithZone("")
}

// stripPort returns a Host header without its port and brackets.
func stripPort(host string) string {
	if h, _, err := net.SplitHostPort(host); err == nil {
		return h
	}
	return strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
}
