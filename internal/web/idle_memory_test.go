package web

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// Caches for pages are cleared after a time without requests.
func TestRunIdleRelease(t *testing.T) {
	own := newSite(t)
	own.running.Go(func() { own.memory.runIdleRelease(own.ctx, time.Millisecond) })
	made := outlineKey{session: "made"}
	own.outlines.cached.Add(made, nil, 1)
	own.get("/")
	for late := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		if _, kept := own.outlines.cached.Get(made); !kept {
			break
		}
		if time.Now().After(late) {
			t.Fatal("the outline is kept for ever")
		}
	}
}

func TestTrackActivity_IgnoresHealthChecks(t *testing.T) {
	s := &memoryReleaser{activity: make(chan struct{}, 1)}
	h := s.trackActivity(http.NotFoundHandler())
	for url, want := range map[string]int{"/healthz": 0, "/": 1} {
		s.last.Store(0)
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", url, nil))
		if isRecent := time.Since(time.Unix(0, s.last.Load())) < time.Hour; isRecent != (want > 0) {
			t.Errorf("%s: the last activity is recent: %v", url, isRecent)
		}
		if got := len(s.activity); got != want {
			t.Errorf("%s: noticed %d times, want %d", url, got, want)
		}
		for len(s.activity) > 0 {
			<-s.activity
		}
	}
}

func TestHealth_Verbose(t *testing.T) {
	own := newSite(t, func(c *siteConfig) { c.CountWatches = func() int { return 7 } })
	tr := newTranscript("one")
	tr.chain(4)
	path := own.write("one.jsonl", tr)
	own.open(path)
	sess, _ := own.library.FindOpen(path)
	conn, _, err := own.socket(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, _, err := conn.ReadMessage(); err != nil { // the greeting: the socket is counted
		t.Fatal(err)
	}
	var v struct{ Heap, Sessions, Sockets, Watches int }
	a := own.get("/healthz?verbose")
	if err := json.Unmarshal([]byte(a.body), &v); err != nil {
		t.Fatal(err)
	}
	if v.Heap == 0 || v.Sessions != 1 || v.Sockets != 1 || v.Watches != 7 {
		t.Errorf("healthz?verbose = %+v, want one session, one socket and 7 watches", v)
	}
	_ = sess.Key() // keep the session reachable
}
