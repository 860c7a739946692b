package web

import (
	"net/http"
	"net/netip"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

const (
	// A peer may ask for so many links that are none at once, and for one more each
	// wrongEvery.
	invalidLinkBurst    = 20
	invalidLinkInterval = 3 * time.Second
	// maxLimitedPeers bounds the table of those who do.
	maxLimitedPeers = 4096
)

// linkLimiter slows down whoever asks for links that are none. A link that is one is
// always answered: its 128 bits are not to be guessed, and behind a tunnel all
// readers are one peer, whom no stranger may lock out.
type linkLimiter struct {
	mu    sync.Mutex
	peers map[netip.Addr]*rate.Limiter
	now   func() time.Time
}

func newLinkLimiter(now func() time.Time) *linkLimiter {
	return &linkLimiter{peers: map[netip.Addr]*rate.Limiter{}, now: now}
}

// allowInvalidLink takes in that a peer asked for a link that is none, and reports whether it
// may know.
func (l *linkLimiter) allowInvalidLink(r *http.Request) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	peer, now := peerNetwork(r), l.now()
	one := l.peers[peer]
	if one == nil {
		l.evictPeers(now)
		one = rate.NewLimiter(rate.Every(invalidLinkInterval), invalidLinkBurst)
		l.peers[peer] = one
	}
	return one.AllowN(now, 1)
}

// evictPeers forgets those who have been quiet; when there are none, anybody: who
// has so many addresses is not held by a table.
func (l *linkLimiter) evictPeers(now time.Time) {
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

// peerNetwork is who asks: an address, of IPv6 its network, which one host has whole.
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
