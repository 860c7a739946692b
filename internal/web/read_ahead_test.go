package web

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"strings"
	"testing"
)

// A session that was read ahead is open, but was not visited, and is shown without a loading page.
func TestReadAhead(t *testing.T) {
	s := newSite(t)
	path := s.write("large.jsonl", large("large"))
	base := s.address(path)
	if _, open := s.library.FindOpen(path); open {
		t.Fatal("the session is open at the start")
	}
	for range 2 {
		if a := s.get(base + "/ahead"); a.StatusCode != http.StatusNoContent || a.body != "" || a.Header.Get("Cache-Control") != cacheNever {
			t.Errorf("status %d, %q, Cache-Control %q", a.StatusCode, a.body, a.Header.Get("Cache-Control"))
		}
	}
	if _, open := s.library.FindOpen(path); !open {
		t.Error("the session is not open")
	}
	if a := s.getOK(base); strings.Contains(a.body, `id="loading"`) || !strings.Contains(a.body, "the last prompt") {
		t.Error("the session is read again")
	}
}

// What cannot be read has the same response: nobody looks at it.
func TestReadAhead_unknown(t *testing.T) {
	s := newSite(t)
	for _, address := range []string{"/sessions/0123456789abcdef/ahead", s.address(s.write("a.jsonl", sample())) + "/ahead?layout=none"} {
		if a := s.get(address); a.StatusCode != http.StatusNoContent {
			t.Errorf("%s: status %d", address, a.StatusCode)
		}
	}
}

// While a session is read ahead, requests for others do nothing. One that the browser aborted is
// read nevertheless.
func TestReadAhead_oneAtATime(t *testing.T) {
	s := newSite(t, func(c *siteConfig) {
		c.auth.PeerUID = func(_, _ netip.AddrPort) (int, bool) { return os.Geteuid(), true }
	})
	path := s.write("large.jsonl", large("large"))
	base := s.address(path)
	s.readAhead.slot <- struct{}{}
	s.get(base + "/ahead")
	if _, open := s.library.FindOpen(path); open {
		t.Error("two sessions are read at the same time")
	}
	<-s.readAhead.slot
	ctx, abort := context.WithCancel(t.Context())
	abort()
	r := httptest.NewRequest("GET", s.http.URL+base+"/ahead", nil).WithContext(s.access.ConnContext(ctx, loopbackConn{}))
	s.Handler().ServeHTTP(httptest.NewRecorder(), r)
	if _, open := s.library.FindOpen(path); !open {
		t.Error("an aborted request reads nothing")
	}
}

// Shares have no such address.
func TestReadAhead_share(t *testing.T) {
	s := newSite(t)
	link := s.share(shareable{base: s.open(s.write("a.jsonl", sample()))}, nil)
	if a := s.get(link + "/ahead"); a.StatusCode != http.StatusNotFound {
		t.Errorf("status %d", a.StatusCode)
	}
}
