package auth

import (
	"net"
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

// ConnLimit limits how many connections are open, and how many of them are not the owner's,
// so that file descriptors remain.
type ConnLimit struct {
	policy *Policy
	warn   rate.Sometimes

	mu      sync.Mutex
	maxOpen int
	open    int
	others  connPool // connections that are not the owner's
	viewers connPool // connections to the address for shares
}

// connPool counts the connections on one address that are not the owner's.
type connPool struct {
	maxOpen, open int // guarded by ConnLimit.mu
}

// NewConnLimit returns the limit for a process with the file descriptors of this one.
func NewConnLimit(p *Policy) *ConnLimit { return newConnLimit(p, openFilesLimit()) }

// newConnLimit returns the limit for a process that may open the given number of files.
func newConnLimit(p *Policy, files uint64) *ConnLimit {
	most := min(maxConns, max(minConns, int(min(files, 2*maxConns))-spareFiles))
	l := &ConnLimit{policy: p, maxOpen: most, warn: rate.Sometimes{Interval: time.Minute}}
	l.splitAmongPools(&l.others)
	return l
}

// splitAmongPools gives each pool an equal share of half the connections.
func (l *ConnLimit) splitAmongPools(pools ...*connPool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, p := range pools {
		p.maxOpen = l.maxOpen / 2 / len(pools)
	}
}

// addConn counts a new connection, either of the owner or of a pool. It reports whether the
// limit allows it.
func (l *ConnLimit) addConn(owner bool, pool *connPool) bool {
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

func (l *ConnLimit) removeConn(owner bool, pool *connPool) {
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
	limit  *ConnLimit
	pool   *connPool
	shares bool
}

// LimitListener returns a listener for the explorer. It reserves half of the connections
// for the owner.
func (l *ConnLimit) LimitListener(inner net.Listener) net.Listener {
	return &limitedListener{Listener: inner, limit: l, pool: &l.others}
}

// LimitShareListener returns a listener for shares alone. It does not identify viewers, so
// none of its connections counts as the owner's.
func (l *ConnLimit) LimitShareListener(inner net.Listener) net.Listener {
	l.splitAmongPools(&l.others, &l.viewers)
	return &limitedListener{Listener: inner, limit: l, pool: &l.viewers, shares: true}
}

// Accept returns the next connection within the limit. It looks up the peer's user at once,
// while the peer's socket certainly exists.
func (l *limitedListener) Accept() (net.Conn, error) {
	policy := l.limit.policy
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		lc := &limitedConn{Conn: c, listener: l}
		if !l.shares {
			lc.peer = policy.identifyPeer(c.RemoteAddr().String(), c.LocalAddr().String())
			lc.owner = policy.isOwner(lc.peer)
		}
		if l.limit.addConn(lc.owner, l.pool) {
			return lc, nil
		}
		_ = c.Close()
		l.limit.warn.Do(func() {
			policy.log.Warn("connections are refused: too many are open", "listener", l.Addr().String(), "owner", lc.owner)
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
	c.once.Do(func() { c.listener.limit.removeConn(c.owner, c.listener.pool) })
	return err
}
