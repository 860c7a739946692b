package web

import (
	"fmt"
	"net/http"
	"net/url"
	"testing"

	"sessiontree/internal/web/auth"
)

// Clients that request many invalid links have to wait; valid links always work.
func TestShare_Limit(t *testing.T) {
	const burst = 20 // of invalid links that a client may request at once
	clock := newTestClock()
	s := newSharing(t, func(c *siteConfig) { c.now = clock.now })
	link := s.share(newShareable(s, "0c0c0c0d"), url.Values{})
	for i := range burst + 5 {
		a := s.get(fmt.Sprintf("/share/%022d", i))
		want := http.StatusNotFound
		if i >= burst {
			want = http.StatusTooManyRequests
		}
		if a.StatusCode != want || (want == http.StatusTooManyRequests) != (a.Header.Get("Retry-After") != "") {
			t.Fatalf("wrong link %d: status %d, want %d; Retry-After %q", i, a.StatusCode, want, a.Header.Get("Retry-After"))
		}
	}
	s.getOK(link)
	clock.advance(auth.InvalidLinkInterval)
	if a := s.get("/share/x"); a.StatusCode != http.StatusNotFound {
		t.Errorf("after a while: status %d", a.StatusCode)
	}
}
