package web

import (
	"net"
	"net/http"
	"net/netip"
	"os"
	"strings"
)

// access decides who may connect. Programs of the same user on this computer
// need nothing; others need the token.
type access struct {
	token   string
	require bool     // everybody needs the token
	hosts   []string // names accepted in Host besides this computer's own
	secure  bool     // served over TLS
	uid     int      // ours
	code    openCode
	// peerUID finds the user of a peer on this computer; known is false on systems
	// that do not report it.
	peerUID func(peer, local netip.AddrPort) (uid int, known bool)
	close   func() // releases what peerUID keeps open
}

// newAccess returns the access that c describes. Whoever serves under further
// names is reached through something that has them, so the token is required then.
func newAccess(c Config) *access {
	lookup := newPeerLookup()
	if c.peerUID == nil {
		c.peerUID = lookup.UID
	}
	return &access{
		token:   c.Token,
		require: c.RequireToken || len(c.Hosts) > 0,
		hosts:   c.Hosts,
		secure:  c.TLS,
		uid:     os.Geteuid(),
		peerUID: c.peerUID,
		close:   lookup.Close,
	}
}

// trusted reports whether a request needs no token: its peer is a program of the
// same user, and does not pass on what somebody else asks.
func (a *access) trusted(r *http.Request) bool {
	return !a.require && !forwarded(r) && a.ours(peerOfRequest(r))
}

// admitted reports whether a request is trusted or shows the cookie.
func (a *access) admitted(r *http.Request) bool { return a.trusted(r) || a.showsCookie(r) }

// peerOfRequest returns who sent a request. Where nobody found out, it is nobody.
func peerOfRequest(r *http.Request) peer {
	if p, ok := r.Context().Value(peerKey{}).(peer); ok {
		return p
	}
	return peer{uid: noUser, known: true}
}

// forwarded reports whether a proxy or a tunnel passed the request on. Then its
// peer says nothing of who asks.
func forwarded(r *http.Request) bool {
	for name := range r.Header {
		switch {
		case name == "Forwarded", name == "Via", name == "X-Real-Ip", strings.HasPrefix(name, "X-Forwarded-"):
			return true
		}
	}
	return false
}

// guard lets through who may read, and takes tokens and codes.
func (s *Server) guard(next http.Handler) http.Handler {
	a := s.access
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch q := r.URL.Query(); {
		case q.Has(tokenParam) && a.matches(q.Get(tokenParam)):
			a.setCookie(w, r)
		case q.Has(codeParam) && s.redeemCode(r, q.Get(codeParam)):
			a.setCookie(w, r)
		case a.admitted(r):
			next.ServeHTTP(w, r)
		default:
			w.Header().Set("Connection", "close") // a stranger keeps no connection
			s.fail(w, r, errNoToken)
		}
	})
}

func localAddr(r *http.Request) string {
	if l, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr); ok {
		return l.String()
	}
	return ""
}

// checkHost refuses requests for names that are not ours: a page of somebody
// else's could make its own name point here and read what it gets.
func (s *Server) checkHost(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !knowsHost(r, s.access.hosts) {
			s.fail(w, r, errHost)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// knowsHost reports whether a request names this computer: an address of its own,
// or one of hosts.
func knowsHost(r *http.Request, hosts []string) bool {
	host := hostOnly(r.Host)
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
	// The address that the peer connected to is one of ours, and we listen there.
	own, err := netip.ParseAddrPort(localAddr(r))
	return ip.IsLoopback() || err == nil && own.Addr().Unmap().WithZone("") == ip.WithZone("")
}

// hostOnly is a Host header without its port and brackets.
func hostOnly(host string) string {
	if h, _, err := net.SplitHostPort(host); err == nil {
		return h
	}
	return strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
}
