package serve

import (
	"context"
	"net"
	"os"
	"strings"
	"syscall"
	"testing"

	"sessiontree/internal/cli/statedir"
)

// A host without IPv4 listens on the IPv6 loopback.
func TestListen_NoIPv4(t *testing.T) {
	if l, err := net.Listen("tcp", "[::1]:0"); err != nil {
		t.Skip("no IPv6 here")
	} else {
		l.Close()
	}
	real := listenTCP
	t.Cleanup(func() { listenTCP = real })
	for _, errno := range []syscall.Errno{syscall.EADDRNOTAVAIL, syscall.EAFNOSUPPORT} {
		listenTCP = func(ctx context.Context, network, addr string) (net.Listener, error) {
			if strings.HasPrefix(addr, "127.") {
				return nil, &net.OpError{Op: "listen", Err: os.NewSyscallError("bind", errno)}
			}
			return real(ctx, network, addr)
		}
		ls, err := openListeners(t.Context(), statedir.Location{Path: t.TempDir()}, "--listen", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		if len(ls) != 1 || !strings.HasPrefix(ls[0].Addr().String(), "[::1]:") {
			t.Errorf("listens on %v", ls)
		}
		closeListeners(ls)
	}
}
