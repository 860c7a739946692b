package auth

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"
)

func TestAllowsHost(t *testing.T) {
	tests := []struct {
		host, local string
		want        bool
	}{
		{"localhost:7777", "127.0.0.1:7777", true},
		{"LOCALHOST", "127.0.0.1:7777", true},
		{"127.0.0.1:1", "127.0.0.1:7777", true},
		{"127.8.9.10", "127.0.0.1:7777", true},
		{"[::1]:7777", "[::1]:7777", true},
		{"[::1]", "[::1]:7777", true},
		{"[::ffff:127.0.0.1]:80", "127.0.0.1:7777", true},
		{"tree.lan:7777", "127.0.0.1:7777", true},
		{"192.168.1.5:7777", "192.168.1.5:7777", true},
		{"192.168.1.5:7777", "[::ffff:192.168.1.5]:7777", true},
		{"192.168.1.6:7777", "192.168.1.5:7777", false},
		{"192.168.1.5:7777", "127.0.0.1:7777", false},
		{"evil.example:7777", "127.0.0.1:7777", false},
		{"localhost.evil.example", "127.0.0.1:7777", false},
		{"127.0.0.1.evil.example", "127.0.0.1:7777", false},
		{"", "127.0.0.1:7777", false},
		{"[", "127.0.0.1:7777", false},
	}
	for _, tt := range tests {
		r := httptest.NewRequest("GET", "/", nil)
		r.Host = tt.host
		r = withLocal(r, tt.local)
		if got := (&Policy{allowedHosts: []string{"Tree.lan"}}).AllowsHost(r); got != tt.want {
			t.Errorf("Host %q at %s: known = %v, want %v", tt.host, tt.local, got, tt.want)
		}
	}
}

func withLocal(r *http.Request, local string) *http.Request {
	addr := net.TCPAddrFromAddrPort(netip.MustParseAddrPort(local))
	return r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, addr))
}

func TestIsTrusted(t *testing.T) {
	const us, them = 1000, 1001
	tests := []struct {
		name    string
		remote  string
		uid     int
		known   bool
		trusted bool
	}{
		{"our own", "127.0.0.1:5000", us, true, true},
		{"our own, IPv6", "[::1]:5000", us, true, true},
		{"our own, IPv4 in IPv6", "[::ffff:127.0.0.1]:5000", us, true, true},
		{"another user", "127.0.0.1:5000", them, true, false},
		{"root is another user", "127.0.0.1:5000", 0, true, false},
		{"nobody's", "127.0.0.1:5000", noUser, true, false},
		{"cannot be told", "127.0.0.1:5000", noUser, false, true},
		{"from elsewhere", "192.168.1.9:5000", us, true, false},
		{"from elsewhere, unknown", "192.168.1.9:5000", noUser, false, false},
		{"no address", "@", us, true, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := &Policy{ownUID: us, peerUID: func(_, _ netip.AddrPort) (int, bool) { return tt.uid, tt.known }}
			r := httptest.NewRequest("GET", "/", nil)
			if a.isTrusted(r) {
				t.Error("trusted although nobody found out who asks")
			}
			r = r.WithContext(context.WithValue(r.Context(), peerKey{}, a.identifyPeer(tt.remote, "127.0.0.1:7777")))
			if got := a.isTrusted(r); got != tt.trusted {
				t.Errorf("trusted = %v, want %v", got, tt.trusted)
			}
			a.requireToken = true
			if a.isTrusted(r) {
				t.Error("trusted although everybody needs the token")
			}
		})
	}
}
