// Package auth decides who may connect: it identifies the peers of connections, checks
// tokens, cookies and host names, and limits connections and requests for invalid links.
package auth

import (
	"cmp"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"slices"
	"strings"
	"time"
)

// Errors of requests that are refused.
var (
	ErrNoToken     = errors.New("no token")
	ErrUnknownHost = errors.New("unknown host")
)

// Config configures a Policy.
type Config struct {
	Token        string       // admits other users and computers; "" admits none
	RequireToken bool         // everybody needs the token
	Hosts        []string     // further names allowed in the Host header
	TLS          bool         // served over TLS
	Log          *slog.Logger // nil discards logs
	// IsSignedIn, if set, decides alone which requests are admitted: those of people who
	// have signed in to a hub.
	IsSignedIn func(r *http.Request) bool

	// Replaced in tests: the lookup of the user of a peer on this computer, where known is
	// false on systems that do not report it, and the clock.
	PeerUID func(peer, local netip.AddrPort) (uid int, known bool)
	Now     func() time.Time
}

// Policy decides who may connect. Programs of the same user on this computer need no token;
// everybody else does.
type Policy struct {
	token        string
	requireToken bool     // everybody needs the token
	allowedHosts []string // names accepted in the Host header besides those of this computer
	servesTLS    bool
	ownUID       int // the user of this process
	oneTimeCode  oneTimeCode
	isSignedIn   func(r *http.Request) bool // nil without a hub
	lookup       *peerLookup
	peerUID      func(peer, local netip.AddrPort) (uid int, known bool)
	now          func() time.Time
	log          *slog.Logger
}

// NewPolicy returns the policy that c describes. A server with further host names is
// reached through a proxy or a tunnel, so the token is required then.
func NewPolicy(c Config) *Policy {
	p := &Policy{
		token:        c.Token,
		requireToken: c.RequireToken || len(c.Hosts) > 0,
		allowedHosts: c.Hosts,
		servesTLS:    c.TLS,
		ownUID:       os.Geteuid(),
		isSignedIn:   c.IsSignedIn,
		lookup:       newPeerLookup(),
		peerUID:      c.PeerUID,
		now:          c.Now,
		log:          cmp.Or(c.Log, slog.New(slog.DiscardHandler)),
	}
	if p.peerUID == nil {
		p.peerUID = p.lookup.UID
	}
	if p.now == nil {
		p.now = time.Now
	}
	return p
}

// Close releases the resources of the lookup of peers.
func (a *Policy) Close() { a.lookup.Close() }

// ServesTLS reports whether the server is reached over TLS.
func (a *Policy) ServesTLS() bool { return a.servesTLS }

// isTrusted reports whether a request needs no token: its peer is a program of the same
// user and forwards no request of another client, or a person who has signed in to a hub.
func (a *Policy) isTrusted(r *http.Request) bool {
	if a.isSignedIn != nil {
		return a.isSignedIn(r)
	}
	return !a.requireToken && !isForwarded(r) && a.isOwner(requestPeer(r))
}

// IsAdmitted reports whether a request is trusted or has a valid cookie.
func (a *Policy) IsAdmitted(r *http.Request) bool { return a.isTrusted(r) || a.hasValidCookie(r) }

// RefuseFunc responds to a request that is refused.
type RefuseFunc func(w http.ResponseWriter, r *http.Request, err error)

// RequireAccess returns middleware that lets admitted requests through and redeems tokens
// and codes.
func (a *Policy) RequireAccess(refuse RefuseFunc) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch q := r.URL.Query(); {
			case q.Has(tokenParam) && a.isServerToken(q.Get(tokenParam)):
				a.setAccessCookie(w, r)
			case q.Has(codeParam) && a.redeemCode(r, q.Get(codeParam)):
				a.setAccessCookie(w, r)
			case a.IsAdmitted(r):
				next.ServeHTTP(w, r)
			default:
				w.Header().Set("Connection", "close") // do not keep connections of clients without access
				refuse(w, r, ErrNoToken)
			}
		})
	}
}

// CheckHost returns middleware that refuses requests for host names that are not allowed.
// It prevents DNS rebinding: a foreign page could point its own name here and read the
// response.
func (a *Policy) CheckHost(refuse RefuseFunc) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !a.AllowsHost(r) {
				refuse(w, r, ErrUnknownHost)
				return
			}
			next.ServeHTTP(w, r)
		})
	}
}

// AllowsHost reports whether a request names this computer, by one of its addresses or by
// an allowed name. The names in further are allowed too.
func (a *Policy) AllowsHost(r *http.Request, further ...string) bool {
	host := stripPort(r.Host)
	if strings.EqualFold(host, "localhost") {
		return true
	}
	for _, h := range slices.Concat(a.allowedHosts, further) {
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
