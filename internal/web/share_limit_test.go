package web

import (
	"fmt"
	"net/http"
	"net/url"
	"testing"
	"time"
)

// Clients that request many invalid links have to wait; valid links always work.
func TestShare_Limit(t *testing.T) {
	s := newSharing(t)
	clock := time.Now()
	s.linkLimiter.now = func() time.Time { return clock }
	link := s.share(newShareable(s, "0c0c0c0d"), url.Values{})
	for i := range invalidLinkBurst + 5 {
		a := s.get(fmt.Sprintf("/share/%022d", i))
		want := http.StatusNotFound
		if i >= invalidLinkBurst {
			want = http.StatusTooManyRequests
		}
		if a.StatusCode != want || (want == http.StatusTooManyRequests) != (a.Header.Get("Retry-After") != "") {
			t.Fatalf("wrong link %d: status %d, want %d; Retry-After %q", i, a.StatusCode, want, a.Header.Get("Retry-After"))
		}
	}
	s.getOK(link)
	clock = clock.Add(invalidLinkInterval)
	if a := s.get("/share/x"); a.StatusCode != http.StatusNotFound {
		t.Errorf("after a while: status %d", a.StatusCode)
	}
	for i := range 3 * maxLimitedPeers {
		s.linkLimiter.allowInvalidLink(&http.Request{RemoteAddr: fmt.Sprintf("10.%d.%d.%d:1", i>>16, i>>8&255, i&255)})
	}
	if n := len(s.linkLimiter.peers); n > maxLimitedPeers {
		t.Errorf("%d peers are kept", n)
	}
}

// A host has many IPv6 addresses, so they count by network.
func TestShare_Peer(t *testing.T) {
	for a, b := range map[string]string{"[2001:db8::1]:1": "[2001:db8::2]:99", "10.0.0.1:1": "[::ffff:10.0.0.1]:2"} {
		if peerNetwork(&http.Request{RemoteAddr: a}) != peerNetwork(&http.Request{RemoteAddr: b}) {
			t.Errorf("%s and %s are two", a, b)
		}
	}
	if peerNetwork(&http.Request{RemoteAddr: "10.0.0.1:1"}) == peerNetwork(&http.Request{RemoteAddr: "10.0.0.2:1"}) {
		t.Error("two hosts are one")
	}
}
