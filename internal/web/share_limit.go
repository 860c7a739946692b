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
	wrongBurst = 20
	wrongEvery = 3 * time.Second
	// mostPeers bounds the table of those who do.
	mostPeers = 4096
)

// limiter slows down whoever asks for links that are none. A link that is one is
// always answered: its 128 bits are not to be guessed, and behind a tunnel all
// readers are one peer, whom no stranger may lock out.
type limiter struct {
	mu    sync.Mutex
	peers map[netip.Addr]*rate.Limiter
	now   func() time.Time
}

func newLimiter(now func() time.Time) *limiter {
	return &limiter{peers: map[netip.Addr]*rate.Limiter{}, now: now}
}

// wrong takes in that a peer asked for a link that is none, and reports whether it
// may know.
func (l *limiter) wrong(r *http.Request) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	peer, now := peerOf(r), l.now()
	one := l.peers[peer]
	if one == nil {
		l.makeRoom(now)
		one = rate.NewLimiter(rate.Every(wrongEvery), wrongBurst)
		l.peers[peer] = one
	}
	return one.AllowN(now, 1)
}

// makeRoom forgets those who have been quiet; when there are none, anybody: who
// has so many addresses is not held by a table.
func (l *limiter) makeRoom(now time.Time) {
	if len(l.peers) < mostPeers {
		return
	}
	for peer, one := range l.peers {
		if one.TokensAt(now) >= wrongBurst {
			delete(l.peers, peer)
		}
	}
	for peer := range l.peers {
		if len(l.peers) < mostPeers {
			return
		}
		delete(l.peers, peer)
	}
}

// peerOf is who asks: an address, of IPv6 its network, which one host has whole.
func peerOf(r *http.Request) netip.Addr {
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
