package auth

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"net/netip"
	"strings"
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
func (a *Policy) identifyPeer(remote, local string) peer {
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
func (a *Policy) isOwner(p peer) bool {
	if !p.uidKnown {
		return p.loopback
	}
	return p.onThisHost && p.uid == a.ownUID
}

// peerKey is the context key for the peer of a connection.
type peerKey struct{}

// ConnContext implements the hook of http.Server: it adds the peer to the context.
func (a *Policy) ConnContext(ctx context.Context, c net.Conn) context.Context {
	if t, ok := c.(*tls.Conn); ok {
		c = t.NetConn()
	}
	if l, ok := c.(*limitedConn); ok {
		return context.WithValue(ctx, peerKey{}, l.peer)
	}
	return context.WithValue(ctx, peerKey{}, a.identifyPeer(c.RemoteAddr().String(), c.LocalAddr().String()))
}

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

func localAddr(r *http.Request) string {
	if l, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr); ok {
		return l.String()
	}
	return ""
}
