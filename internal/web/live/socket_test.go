package live

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"go.uber.org/goleak"

	"sessiontree/internal/session/catalog"
	"sessiontree/internal/session/follow"
	"sessiontree/internal/session/format"
	"sessiontree/internal/session/store"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// site serves the sockets of a directory with two sessions.
type site struct {
	t testing.TB
	*Sockets
	session, other *store.Session
	http           *httptest.Server
}

const sessionText = `{"type":"session","version":3,"id":"one","timestamp":"2026-02-03T09:00:00.000Z","cwd":"/home/dev/atlas"}
{"type":"message","id":"e1","parentId":null,"timestamp":"2026-02-03T09:00:01.000Z","message":{"role":"user","content":"start"}}
`

func newSite(t testing.TB, change ...func(*follow.Config)) *site {
	t.Helper()
	dir := t.TempDir()
	for _, id := range []string{"one", "two"} {
		text := strings.Replace(sessionText, "one", id, 1)
		if err := os.WriteFile(filepath.Join(dir, id+".jsonl"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	lib, err := store.New(store.Config{Formats: format.All, Roots: []string{dir}})
	if err != nil {
		t.Fatal(err)
	}
	c := follow.Config{Library: lib, Catalog: catalog.New(catalog.Config{Library: lib})}
	if err := c.Catalog.Fill(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, f := range change {
		f(&c)
	}
	s := &site{t: t, Sockets: New(follow.New(c), "epoch", nil)}
	if s.session, err = lib.Open(t.Context(), filepath.Join(dir, "one.jsonl")); err != nil {
		t.Fatal(err)
	}
	if s.other, err = lib.Open(t.Context(), filepath.Join(dir, "two.jsonl")); err != nil {
		t.Fatal(err)
	}
	s.http = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = s.ServeSocket(r.Context(), w, r, SocketOptions{Requests: http.NotFoundHandler()})
	}))
	t.Cleanup(func() {
		s.Sockets.Close()
		s.follower.Close()
		s.http.Close()
	})
	return s
}

// sessionTopic returns the topic of the session and its revision.
func (s *site) sessionTopic() (topic string, now store.Revision) {
	e, _ := follow.StateSince(s.session, follow.SessionTopic(s.session.Key()), "")
	return e.Topic, e.Rev
}

// browser is a client of the socket.
type browser struct {
	t    testing.TB
	conn *websocket.Conn
}

func (s *site) browse() *browser {
	s.t.Helper()
	conn, _, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(s.http.URL, "http"), nil)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { conn.Close() })
	b := &browser{s.t, conn}
	if n := b.next(); n.Topic != "hello" {
		s.t.Fatalf("first message = %+v, want hello", n)
	}
	return b
}

func (b *browser) next() (n noticeJSON) {
	b.t.Helper()
	_ = b.conn.SetReadDeadline(time.Now().Add(10 * time.Second))
	if err := b.conn.ReadJSON(&n); err != nil {
		b.t.Fatal(err)
	}
	return n
}

// following subscribes to a topic and waits until the subscription is in force: until the
// notice of another topic, which does not exist.
func (b *browser) following(topic, rev string) {
	b.t.Helper()
	subs := []map[string]string{{"topic": topic, "rev": rev}, {"topic": "session:nobody"}}
	if err := b.conn.WriteJSON(map[string]any{"sub": subs}); err != nil {
		b.t.Fatal(err)
	}
	if n := b.next(); n.Topic != "session:nobody" || n.Kind != "remove" {
		b.t.Fatalf("notice = %+v, want remove of a session that is not there", n)
	}
}

// An invalid message closes the socket.
func TestSocket_InvalidMessage(t *testing.T) {
	for _, msg := range []string{"{", strings.Repeat(" ", maxSocketMessage+1)} {
		s := newSite(t)
		b := s.browse()
		if err := b.conn.WriteMessage(websocket.TextMessage, []byte(msg)); err != nil {
			t.Fatal(err)
		}
		if _, _, err := b.conn.ReadMessage(); err == nil {
			t.Error("the socket goes on")
		}
	}
}

// 10,000 notices are sent to one browser that does not read and to one that does. The first
// does not delay anybody, and gets everything when it reads again: the last revision, every
// entry, and the rewrite.
func TestSocket_StalledClient(t *testing.T) {
	const notices, rewriteAt = 10_000, 5_000
	s := newSite(t)
	topic, now := s.sessionTopic()
	stalled, quick := s.browse(), s.browse()
	stalled.following(topic, now.String())
	quick.following(topic, now.String())

	last := now
	start := time.Now()
	for i := range notices {
		e := follow.Event{Topic: topic, Entries: 1, Leaf: fmt.Sprint(i)}
		if i == rewriteAt {
			e.Kind = follow.Rewritten
			last.Epoch += 7
		}
		last.N++
		e.Rev = last
		s.publishEvent(e)
	}
	if took := time.Since(start); took >= 10*time.Second { // the write timeout
		t.Errorf("publishing took %v: somebody was waited for", took)
	}
	for name, b := range map[string]*browser{"quick": quick, "stalled": stalled} {
		entries, rewrites, messages := 0, 0, 0
		for at := ""; at != last.String(); messages++ {
			n := b.next()
			entries += n.Entries
			if n.Kind == "rewrite" {
				rewrites++
			}
			at = n.Rev
		}
		if entries != notices || rewrites != 1 {
			t.Errorf("%s reader: %d entries and %d rewrites in %d messages, want %d and 1", name, entries, rewrites, messages, notices)
		}
		t.Logf("%s reader: %d messages", name, messages)
	}
}

func BenchmarkFanOut1000(b *testing.B) {
	s := newSite(b)
	topic, now := s.sessionTopic()
	const sockets = 1000
	var got sync.WaitGroup
	for range sockets {
		r := s.browse()
		r.following(topic, now.String())
		_ = r.conn.SetReadDeadline(time.Time{})
		go func() {
			for {
				_, data, err := r.conn.ReadMessage()
				if err != nil {
					return
				}
				var n noticeJSON
				if json.Unmarshal(data, &n) == nil {
					for range n.Entries { // a merged notice counts several entries
						got.Done()
					}
				}
			}
		}()
	}
	b.ResetTimer()
	for range b.N {
		now.N++
		got.Add(sockets)
		s.publishEvent(follow.Event{Topic: topic, Rev: now, Entries: 1})
		got.Wait()
	}
}
