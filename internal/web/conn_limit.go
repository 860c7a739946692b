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
	// maxConns limits the connections of a server.
	maxConns = 4096
	// spareFiles is the number of file descriptors reserved for everything else: sessions,
	// shares, watches.
	spareFiles = 128
	// minConns is the limit on systems with very few file descriptors.
	minConns = 16
)

// peer describes the other end of a connection.
type peer struct {
	local      netip.AddrPort
	uid        int  // its user; noUser if it belongs to no user of this computer
	uidKnown   bool // the system reports the users of sockets
	loopback   bool
	onThisHost bool // it runs on this computer
}

// noUser is the uid of a socket whose user is not known.
const noUser = -1

// identifyPeer returns what is known about the other end of a connection.
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

// isOwner reports whether the peer is a program of the same user on this computer. On
// systems that do not report users, every loopback peer counts.
func (a *accessPolicy) isOwner(p peer) bool {
	if !p.uidKnown {
		return p.loopback
	}
	return p.onThisHost && p.uid == a.ownUID
}

// peerKey is the context key for the peer of a connection.
type peerKey struct{}

// ConnContext implements the hook of http.Server: it adds the peer to the context.
func (s *Server) ConnContext(ctx context.Context, c net.Conn) context.Context {
	if t, ok := c.(*tls.Conn); ok {
		c = t.NetConn()
	}
	if l, ok := c.(*limitedConn); ok {
		return context.WithValue(ctx, peerKey{}, l.peer)
	}
	return context.WithValue(ctx, peerKey{}, s.access.identifyPeer(c.RemoteAddr().String(), c.LocalAddr().String()))
}

// connLimit limits how many connections are open, and how many of them are not the owner's,
// so that file descriptors remain.
type connLimit struct {
	mu      sync.Mutex
	maxOpen int
	open    int
	warn    rate.Sometimes
}

// connPool counts the connections on one address that are not the owner's.
type connPool struct {
	maxOpen, open int // guarded by connLimit.mu
}

// newConnLimit returns the limit for a process that may open the given number of files.
func newConnLimit(files uint64) *connLimit {
	most := min(maxConns, max(minConns, int(min(files, 2*maxConns))-spareFiles))
	return &connLimit{maxOpen: most, warn: rate.Sometimes{Interval: time.Minute}}
}

// splitAmongPools gives each pool an equal share of half the connections.
func (l *connLimit) splitAmongPools(pools ...*connPool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, p := range pools {
		p.maxOpen = l.maxOpen / 2 / len(pools)
	}
}

// addConn counts a new connection, either of the owner or of a pool. It reports whether the
// limit allows it.
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

// limitedListener closes connections over the limit.
type limitedListener struct {
	net.Listener
	s      *Server
	pool   *connPool
	shares bool
}

// LimitConns returns a listener for Handler. It reserves half of the connections for the
// owner.
func (s *Server) LimitConns(l net.Listener) net.Listener {
	return &limitedListener{Listener: l, s: s, pool: &s.otherConns}
}

// LimitShareConns returns a listener for ShareHandler. It does not identify viewers, so
// none of its connections counts as the owner's.
func (s *Server) LimitShareConns(l net.Listener) net.Listener {
	s.conns.splitAmongPools(&s.otherConns, &s.shareConns)
	return &limitedListener{Listener: l, s: s, pool: &s.shareConns, shares: true}
}

// Accept returns the next connection within the limit. It looks up the peer's user at once,
// while the peer's socket certainly exists.
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

// limitedConn is a connection that counts toward the limit until it is closed.
type limitedConn struct {
	net.Conn
	listener *limitedListener
	peer     peer
	owner    bool
	once     sync.Once
}

// CloseWrite closes the sending side, so that http.Server can deliver the end of a
// response.
func (c *limitedConn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// Close closes the connection and stops counting it.
func (c *limitedConn) Close() error {
	err := c.Conn.Close()
	c.once.Do(func() { c.listener.s.conns.removeConn(c.owner, c.listener.pool) })
	return err
}
