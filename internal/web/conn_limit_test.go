package web

import (
	"errors"
	"io"
	"net"
	"net/netip"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

func TestConnLimit(t *testing.T) {
	for files, want := range map[uint64]int{1 << 40: 4096, 1 << 20: 4096, 2048: 1920, 1024: 896, 256: 128, 100: 16, 0: 16} {
		if got := newConnLimit(files).maxOpen; got != want {
			t.Errorf("of %d files %d connections, want %d", files, got, want)
		}
	}
	l := newConnLimit(256)
	var strangers, viewers connPool
	l.splitAmongPools(&strangers)
	if strangers.maxOpen != 64 {
		t.Errorf("strangers have %d connections, want 64", strangers.maxOpen)
	}
	l.splitAmongPools(&strangers, &viewers)
	if strangers.maxOpen != 32 || viewers.maxOpen != 32 {
		t.Errorf("strangers have %d connections and viewers %d, want 32", strangers.maxOpen, viewers.maxOpen)
	}
}

// isClosed reports whether the server closes a connection.
func isClosed(c net.Conn) bool {
	_ = c.SetReadDeadline(time.Now().Add(10 * time.Second))
	_, err := c.Read(make([]byte, 1))
	return errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET)
}

// Others get at most their share of the connections and can reuse closed ones. The rest is
// reserved for the owner.
func TestLimitConns(t *testing.T) {
	var uid atomic.Int64
	s := newSite(t, func(c *Config) {
		c.peerUID = func(_, _ netip.AddrPort) (int, bool) { return int(uid.Load()), true }
	})
	uid.Store(int64(s.access.ownUID) + 1)
	s.conns.maxOpen = 6
	s.conns.splitAmongPools(&s.otherConns)
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := s.LimitConns(inner)
	accepted := make(chan net.Conn)
	go func() {
		defer close(accepted)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			accepted <- c
		}
	}()
	defer func() {
		inner.Close()
		for range accepted {
		}
	}()
	dial := func() net.Conn {
		c, err := net.Dial("tcp", inner.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		return c
	}
	var theirs []net.Conn
	for range 3 {
		dial()
		theirs = append(theirs, <-accepted)
	}
	if !isClosed(dial()) {
		t.Error("another user has more than half of the connections")
	}
	theirs[0].Close()
	theirs[0].Close() // closing twice counts once
	dial()
	theirs[0] = <-accepted
	if !isClosed(dial()) {
		t.Error("a connection closed twice counts twice")
	}
	uid.Store(int64(s.access.ownUID))
	for range 3 {
		dial()
		theirs = append(theirs, <-accepted)
	}
	if !isClosed(dial()) {
		t.Error("there are more connections than the most")
	}
	for _, c := range theirs {
		c.Close()
	}
	if s.conns.open != 0 || s.otherConns.open != 0 {
		t.Errorf("%d and %d connections are left", s.conns.open, s.otherConns.open)
	}
}

// Health checks and requests without access do not keep connections open.
func TestConnections_ClosedWithoutAccess(t *testing.T) {
	s := newSite(t, func(c *Config) { c.RequireToken = true })
	for _, url := range []string{"/healthz", "/healthz?verbose", "/"} {
		if a := s.get(url); !a.Close {
			t.Errorf("%s: the connection is kept", url)
		}
	}
	if s.get("/favicon.ico").Close {
		t.Error("the connection of one who reads is closed")
	}
}
