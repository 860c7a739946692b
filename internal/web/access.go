package web

import (
	"context"
	"crypto/subtle"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"strings"
	"time"
)

// tokenParam names the query parameter that lets a browser in once.
const tokenParam = "token"

// cookieAge is how long a browser that showed the token stays let in.
const cookieAge = 365 * 24 * time.Hour

// access decides who may connect. Programs of the same user on this computer
// need nothing; others need the token.
type access struct {
	token   string
	require bool     // everybody needs the token
	hosts   []string // names accepted in Host besides this computer's own
	secure  bool     // served over TLS
	uid     int      // ours
	// peerUID finds the user of a loopback peer; known is false on systems that do
	// not tell.
	peerUID func(peer, local netip.AddrPort) (uid int, known bool)
}

func newAccess(c Config) *access {
	return &access{
		token:   c.Token,
		require: c.RequireToken,
		hosts:   c.Hosts,
		secure:  c.TLS,
		uid:     os.Geteuid(),
		peerUID: peerUID,
	}
}

// connKey is where a connection's verdict is kept in its context.
type connKey struct{}

// verdict is what is known of a connection: found out once, at its first
// request, because a browser sends many over each.
type verdict struct {
	conn  net.Conn
	asked bool
	open  bool
}

// ConnContext is for http.Server: it lets the handlers see the connection.
func (s *Server) ConnContext(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, &verdict{conn: c})
}

// trusted reports whether the peer needs no token. Requests of one HTTP/1
// connection come one after the other, so the verdict needs no lock; with TLS a
// connection may speak HTTP/2, so nothing is kept.
func (a *access) trusted(r *http.Request) bool {
	if a.require {
		return false
	}
	v, _ := r.Context().Value(connKey{}).(*verdict)
	if v == nil || r.ProtoMajor != 1 {
		return a.sameUser(r.RemoteAddr, localAddr(r))
	}
	if !v.asked {
		v.asked = true
		v.open = a.sameUser(v.conn.RemoteAddr().String(), v.conn.LocalAddr().String())
	}
	return v.open
}

func localAddr(r *http.Request) string {
	if l, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr); ok {
		return l.String()
	}
	return ""
}

// sameUser reports whether a peer is on this computer and ours, as far as the
// system tells.
func (a *access) sameUser(remote, local string) bool {
	peer, err := netip.ParseAddrPort(remote)
	if err != nil || !peer.Addr().Unmap().IsLoopback() {
		return false
	}
	own, err := netip.ParseAddrPort(local)
	if err != nil {
		return false
	}
	uid, known := a.peerUID(peer, own)
	return !known || uid == a.uid
}

// cookieName carries the port that the browser sees, because browsers send the
// cookies of every port of a host to all of them.
func cookieName(r *http.Request) string {
	_, port, err := net.SplitHostPort(r.Host)
	if err != nil {
		port = "default"
	}
	return "explorer_" + port
}

func (a *access) matches(token string) bool {
	return a.token != "" && subtle.ConstantTimeCompare([]byte(token), []byte(a.token)) == 1
}

// guard lets through who may read, and takes in tokens.
func (s *Server) guard(next http.Handler) http.Handler {
	a := s.access
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Has(tokenParam) && a.matches(r.URL.Query().Get(tokenParam)) {
			a.welcome(w, r)
			return
		}
		if a.trusted(r) {
			next.ServeHTTP(w, r)
			return
		}
		if c, err := r.Cookie(cookieName(r)); err == nil && a.matches(c.Value) {
			next.ServeHTTP(w, r)
			return
		}
		s.fail(w, r, errNoToken)
	})
}

// welcome keeps the token in a cookie and takes it out of the address, where it
// would end up in the history and in screenshots.
func (a *access) welcome(w http.ResponseWriter, r *http.Request) {
	http.SetCookie(w, &http.Cookie{
		Name: cookieName(r), Value: a.token, Path: "/", MaxAge: int(cookieAge / time.Second),
		HttpOnly: true, Secure: a.secure, SameSite: http.SameSiteStrictMode,
	})
	w.Header().Set("Cache-Control", "no-store")
	// Its escaping is kept: an id may hold a slash.
	clean := url.URL{
		Path:    "/" + strings.TrimLeft(r.URL.Path, "/"),
		RawPath: "/" + strings.TrimLeft(r.URL.EscapedPath(), "/"),
	}
	q := r.URL.Query()
	q.Del(tokenParam)
	clean.RawQuery = q.Encode()
	http.Redirect(w, r, clean.String(), http.StatusSeeOther)
}

// checkHost refuses requests for names that are not ours: a page of somebody
// else's could make its own name point here and read what it gets.
func (s *Server) checkHost(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !s.access.knowsHost(r) {
			s.fail(w, r, errHost)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func (a *access) knowsHost(r *http.Request) bool {
	host := hostOnly(r.Host)
	if strings.EqualFold(host, "localhost") {
		return true
	}
	for _, h := range a.hosts {
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
