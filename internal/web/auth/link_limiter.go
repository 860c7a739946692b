package auth

import (
	"net/http"
	"net/netip"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// InvalidLinkInterval is how long a peer over the limit has to wait.
const InvalidLinkInterval = 3 * time.Second

const (
	// A peer may request invalidLinkBurst invalid links at once, then one more per
	// InvalidLinkInterval.
	invalidLinkBurst = 20
	// maxLimitedPeers limits the number of peers in the table.
	maxLimitedPeers = 4096
)

// LinkLimiter limits requests for invalid links per peer. Valid links are never limited:
// their 128 bits cannot be guessed, and behind a tunnel all viewers are one peer, which no
// stranger may lock out.
type LinkLimiter struct {
	mu    sync.Mutex
	peers map[netip.Addr]*rate.Limiter
	now   func() time.Time
}

// NewLinkLimiter returns a limiter that uses the given clock.
func NewLinkLimiter(now func() time.Time) *LinkLimiter {
	return &LinkLimiter{peers: map[netip.Addr]*rate.Limiter{}, now: now}
}

// AllowInvalidLink counts a request for an invalid link. It reports whether the peer is
// within its limit.
func (l *LinkLimiter) AllowInvalidLink(r *http.Request) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	peer, now := peerNetwork(r), l.now()
	one := l.peers[peer]
	if one == nil {
		l.evictPeers(now)
		one = rate.NewLimiter(rate.Every(InvalidLinkInterval), invalidLinkBurst)
		l.peers[peer] = one
	}
	return one.AllowN(now, 1)
}

// evictPeers removes peers that have been quiet, then any others if the table is still
// full. No table stops an attacker with that many addresses.
func (l *LinkLimiter) evictPeers(now time.Time) {
	if len(l.peers) < maxLimitedPeers {
		return
	}
	for peer, one := range l.peers {
		if one.TokensAt(now) >= invalidLinkBurst {
			delete(l.peers, peer)
		}
	}
	for peer := range l.peers {
		if len(l.peers) < maxLimitedPeers {
			return
		}
		delete(l.peers, peer)
	}
}

// peerNetwork returns the peer's address, or for IPv6 its /64 network, which usually
// belongs to one host.
func peerNetwork(r *http.Request) netip.Addr {
	at, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	peer := at.Addr().Unmap().WithZone("")
	if peer.Is6() {
		if net, err := peer.Prefix(64); err == nil {
			return net.Addr()
		}
	}
	return peer
}
