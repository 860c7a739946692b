package auth

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"sessiontree/internal/slowtest"
)

// The table of peers stays small.
func TestLinkLimiter_manyPeers(t *testing.T) {
	slowtest.SkipIfShort(t)
	l := NewLinkLimiter(time.Now)
	for i := range 3 * maxLimitedPeers {
		l.AllowInvalidLink(&http.Request{RemoteAddr: fmt.Sprintf("10.%d.%d.%d:1", i>>16, i>>8&255, i&255)})
	}
	if n := len(l.peers); n > maxLimitedPeers {
		t.Errorf("%d peers are kept", n)
	}
}

// A host has many IPv6 addresses, so they count by network.
func TestPeerNetwork(t *testing.T) {
	for a, b := range map[string]string{"[2001:db8::1]:1": "[2001:db8::2]:99", "10.0.0.1:1": "[::ffff:10.0.0.1]:2"} {
		if peerNetwork(&http.Request{RemoteAddr: a}) != peerNetwork(&http.Request{RemoteAddr: b}) {
			t.Errorf("%s and %s are two", a, b)
		}
	}
	if peerNetwork(&http.Request{RemoteAddr: "10.0.0.1:1"}) == peerNetwork(&http.Request{RemoteAddr: "10.0.0.2:1"}) {
		t.Error("two hosts are one")
	}
}
