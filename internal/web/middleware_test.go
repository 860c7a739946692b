package web

import (
	"bufio"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"
)

// Requests of pages of other sites are refused, so that their duration cannot be measured.
// Links from them work.
func TestSameSite(t *testing.T) {
	s := newSharing(t)
	k := newShareable(s, "0c0c0c30")
	link := s.share(k, url.Values{})
	by := func(site, mode, dest string) func(*http.Request) {
		return func(r *http.Request) {
			r.Header.Set("Sec-Fetch-Site", site)
			r.Header.Set("Sec-Fetch-Mode", mode)
			r.Header.Set("Sec-Fetch-Dest", dest)
		}
	}
	for _, path := range []string{"/", "/?q=key", k.base, k.base + "/hits?q=key", k.base + "/rows", k.base + "/export", "/shares"} {
		for _, tt := range []struct {
			site, mode, dest string
			want             bool
		}{
			{"none", "navigate", "document", true},
			{"same-origin", "cors", "empty", true},
			{"cross-site", "navigate", "document", true},
			{"same-site", "navigate", "document", true},
			{"cross-site", "no-cors", "image", false},
			{"cross-site", "no-cors", "script", false},
			{"cross-site", "cors", "empty", false},
			{"cross-site", "navigate", "iframe", false},
			{"cross-site", "navigate", "object", false},
			{"cross-site", "", "", false},
			{"same-site", "no-cors", "image", false},
		} {
			if a := s.get(path, by(tt.site, tt.mode, tt.dest)); (a.StatusCode != http.StatusForbidden) != tt.want {
				t.Errorf("%s from %s by %s for %s: status %d", path, tt.site, tt.mode, tt.dest, a.StatusCode)
			}
		}
	}
	s.getOK(link, by("cross-site", "no-cors", "image")) // served to everybody
	if a := s.get("/live", by("cross-site", "websocket", "websocket")); a.StatusCode != http.StatusForbidden {
		t.Errorf("a socket from another site: status %d", a.StatusCode)
	}
}

// A client that announces a body but does not send it cannot hold a connection, whether
// admitted or not.
func TestBodyTimeout(t *testing.T) {
	for name, require := range map[string]bool{"let in": false, "not let in": true} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t, func(c *siteConfig) { c.auth.RequireToken, c.bodyTimeout = require, 20*time.Millisecond })
			k := newConversation(s)
			addr := strings.TrimPrefix(s.http.URL, "http://")
			c, err := net.Dial("tcp", addr)
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			before := content(t, k.path)
			if _, err := fmt.Fprintf(c, "POST %s/rename HTTP/1.1\r\nHost: %s\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\nname=x", k.base, addr); err != nil {
				t.Fatal(err)
			}
			_ = c.SetReadDeadline(time.Now().Add(20 * time.Second))
			in := bufio.NewReader(c)
			res, err := http.ReadResponse(in, nil)
			if err != nil {
				t.Fatal(err)
			}
			if want := map[bool]int{false: http.StatusRequestTimeout, true: http.StatusUnauthorized}[require]; res.StatusCode != want {
				t.Errorf("status %d, want %d", res.StatusCode, want)
			}
			if _, err := io.Copy(io.Discard, in); err != nil {
				t.Errorf("the connection is kept: %v", err)
			}
			if content(t, k.path) != before {
				t.Error("something was written")
			}
		})
	}
}

// deadlineRecorder records the last deadline.
type deadlineRecorder struct {
	*httptest.ResponseRecorder
	last time.Time
}

func (d *deadlineRecorder) SetReadDeadline(at time.Time) error {
	d.last = at
	return nil
}

// The deadline applies only to the body; the handler may take longer.
func TestBodyTimeout_Lifted(t *testing.T) {
	w := &deadlineRecorder{ResponseRecorder: httptest.NewRecorder()}
	h := limitBodyTime(bodyTimeout)(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if w.last.IsZero() {
			t.Error("there is no deadline for the body")
		}
		if text, err := io.ReadAll(r.Body); string(text) != "name=x" || err != nil {
			t.Errorf("the body is %q, %v", text, err)
		}
		if !w.last.IsZero() {
			t.Error("the deadline stays when the body is read")
		}
	}))
	h.ServeHTTP(w, httptest.NewRequest("POST", "/", strings.NewReader("name=x")))
}

// Health checks and requests without access do not keep connections open.
func TestConnections_ClosedWithoutAccess(t *testing.T) {
	s := newSite(t, func(c *siteConfig) { c.auth.RequireToken = true })
	for _, url := range []string{"/healthz", "/healthz?verbose", "/"} {
		if a := s.get(url); !a.Close {
			t.Errorf("%s: the connection is kept", url)
		}
	}
	if s.get("/favicon.ico").Close {
		t.Error("the connection of one who reads is closed")
	}
}

// The log contains the status and the size of each response, also of one that is flushed or
// has no body, but not the queries of requests.
func TestLogRequests(t *testing.T) {
	for _, tt := range []struct {
		name    string
		respond func(w http.ResponseWriter)
		want    string
	}{
		{"text", func(w http.ResponseWriter) { fmt.Fprint(w, "four") }, "status=200 bytes=4"},
		{"parts", func(w http.ResponseWriter) { fmt.Fprint(w, "one"); w.(http.Flusher).Flush(); fmt.Fprint(w, "two") }, "status=200 bytes=6"},
		{"error", func(w http.ResponseWriter) { http.Error(w, "gone", http.StatusGone) }, "status=410 bytes=5"},
		{"early hints", func(w http.ResponseWriter) { w.WriteHeader(http.StatusEarlyHints); w.WriteHeader(http.StatusNoContent) }, "status=204 bytes=0"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var log strings.Builder
			s := &responder{log: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))}
			h := s.logRequests(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { tt.respond(w) }))
			h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/sessions/k?q=query", nil))
			if got := log.String(); !strings.Contains(got, "path=/sessions/k "+tt.want) || strings.Contains(got, "query") {
				t.Errorf("the log contains %q, want %q", got, tt.want)
			}
		})
	}
}
