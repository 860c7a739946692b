package web

import (
	"context"
	"crypto/tls"
	"net"
	"net/netip"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

const (
	// maxConns bounds the connections of a server.
	maxConns = 4096
	// spareFiles are file descriptors left for all else: sessions, shares, watches.
	spareFiles = 128
	// minConns is what stays where even those are not there.
	minConns = 16
)

// peer is the other end of a connection, as far as it is known.
type peer struct {
	local      netip.AddrPort
	uid        int  // of its user; noUser when it is nobody's on this computer
	uidKnown   bool // whether the system tells the users of sockets
	loopback   bool
	onThisHost bool // it is on this computer
}

// noUser is the user of a socket that belongs to nobody we know of.
const noUser = -1

// identifyPeer finds out who is at the other end of a connection.
func (a *accessPolicy) identifyPeer(remote, local string) peer {
	p := peer{uid: noUser, uidKnown: true}
	from, err := netip.ParseAddrPort(remote)
	if err != nil {
		return p
	}
	if p.local, err = netip.ParseAddrPort(local); err != nil {
		return p
	}
	ip := from.Addr().Unmap()
	p.loopback = ip.IsLoopback()
	p.onThisHost = p.loopback || ip == p.local.Addr().Unmap()
	if p.onThisHost {
		p.uid, p.uidKnown = a.peerUID(from, p.local)
	}
	return p
}

// isOwner reports whether the peer is a program of the same user on this computer, as
// far as the system tells.
func (a *accessPolicy) isOwner(p peer) bool {
	if !p.uidKnown {
		return p.loopback
	}
	return p.onThisHost && p.uid == a.ownUID
}

// peerKey is the key of a connection's peer in contexts.
type peerKey struct{}

// ConnContext is for http.Server: it lets the handlers know the peer.
func (s *Server) ConnContext(ctx context.Context, c net.Conn) context.Context {
	if t, ok := c.(*tls.Conn); ok {
		c = t.NetConn()
	}
	if l, ok := c.(*limitedConn); ok {
		return context.WithValue(ctx, peerKey{}, l.peer)
	}
	return context.WithValue(ctx, peerKey{}, s.access.identifyPeer(c.RemoteAddr().String(), c.LocalAddr().String()))
}

// connLimit bounds how many connections are open at a time, so that there are file
// descriptors left, and how many of them are not the owner's.
type connLimit struct {
	mu      sync.Mutex
	maxOpen int
	open    int
	warn    rate.Sometimes
}

// connPool is the part of the connections that others than the owner may have on
// one address.
type connPool struct {
	maxOpen, open int // guarded by connLimit.mu
}

// newConnLimit returns a limit for a process that may have so many files open.
func newConnLimit(files uint64) *connLimit {
	most := min(maxConns, max(minConns, int(min(files, 2*maxConns))-spareFiles))
	return &connLimit{maxOpen: most, warn: rate.Sometimes{Interval: time.Minute}}
}

// splitAmongPools divides half of the connections among pools.
func (l *connLimit) splitAmongPools(pools ...*connPool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, p := range pools {
		p.maxOpen = l.maxOpen / 2 / len(pools)
	}
}

// addConn counts a connection, of the owner or else of a pool, and reports whether it
// may stay.
func (l *connLimit) addConn(owner bool, pool *connPool) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open >= l.maxOpen || !owner && pool.open >= pool.maxOpen {
		return false
	}
	l.open++
	if !owner {
		pool.open++
	}
	return true
}

func (l *connLimit) removeConn(owner bool, pool *connPool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open--
	if !owner {
		pool.open--
	}
}

// limitedListener closes connections that are too many.
type limitedListener struct {
	net.Listener
	s      *Server
	pool   *connPool
	shares bool
}

// LimitConns returns a listener for Handler: half of its connections are the owner's
// alone.
func (s *Server) LimitConns(l net.Listener) net.Listener {
	return &limitedListener{Listener: l, s: s, pool: &s.otherConns}
}

// LimitShareConns returns a listener for ShareHandler. Who reads a share is nobody's
// concern, so all its connections count as those of others.
func (s *Server) LimitShareConns(l net.Listener) net.Listener {
	s.conns.splitAmongPools(&s.otherConns, &s.shareConns)
	return &limitedListener{Listener: l, s: s, pool: &s.shareConns, shares: true}
}

// Accept waits for the next connection that may stay. The peer's user is found out
// now, when its socket is there for sure.
func (l *limitedListener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		lc := &limitedConn{Conn: c, listener: l}
		if !l.shares {
			lc.peer = l.s.access.identifyPeer(c.RemoteAddr().String(), c.LocalAddr().String())
			lc.owner = l.s.access.isOwner(lc.peer)
		}
		if l.s.conns.addConn(lc.owner, l.pool) {
			return lc, nil
		}
		_ = c.Close()
		l.s.conns.warn.Do(func() {
			l.s.log.Warn("connections are refused: too many are open", "listener", l.Addr().String(), "owner", lc.owner)
		})
	}
}

// limitedConn is a connection that counts until it is closed.
type limitedConn struct {
	net.Conn
	listener *limitedListener
	peer     peer
	owner    bool
	once     sync.Once
}

// CloseWrite ends what is sent, so that http.Server can have its last words read.
func (c *limitedConn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// Close closes the connection and makes room for another.
func (c *limitedConn) Close() error {
	err := c.Conn.Close()
	c.once.Do(func() { c.listener.s.conns.removeConn(c.owner, c.listener.pool) })
	return err
}
