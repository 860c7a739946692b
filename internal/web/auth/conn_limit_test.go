package auth

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
		if got := newConnLimit(nil, files).maxOpen; got != want {
			t.Errorf("of %d files %d connections, want %d", files, got, want)
		}
	}
	l := newConnLimit(nil, 256)
	if l.others.maxOpen != 64 {
		t.Errorf("strangers have %d connections, want 64", l.others.maxOpen)
	}
	l.LimitShareListener(nil)
	if l.others.maxOpen != 32 || l.viewers.maxOpen != 32 {
		t.Errorf("strangers have %d connections and viewers %d, want 32", l.others.maxOpen, l.viewers.maxOpen)
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
func TestLimitListener(t *testing.T) {
	var uid atomic.Int64
	p := NewPolicy(Config{PeerUID: func(_, _ netip.AddrPort) (int, bool) { return int(uid.Load()), true }})
	uid.Store(int64(p.ownUID) + 1)
	limit := newConnLimit(p, 0)
	limit.maxOpen = 6
	limit.splitAmongPools(&limit.others)
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := limit.LimitListener(inner)
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
	uid.Store(int64(p.ownUID))
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
	if limit.open != 0 || limit.others.open != 0 {
		t.Errorf("%d and %d connections are left", limit.open, limit.others.open)
	}
}
