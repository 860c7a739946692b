package web

import (
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"sessiontree/internal/session"
	"sessiontree/internal/session/follow"
	"sessiontree/internal/session/store"

	"sessiontree/web/static"
)

func rev(epoch uint64, n int64) store.Revision { return store.Revision{Epoch: epoch, N: n} }

// browser is a client of the socket.
type browser struct {
	t    testing.TB
	conn *websocket.Conn
}

func (s *site) socket(header http.Header) (*websocket.Conn, *http.Response, error) {
	return websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(s.http.URL, "http")+"/live", header)
}

func (s *site) browse() *browser {
	s.t.Helper()
	conn, _, err := s.socket(nil)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { conn.Close() })
	b := &browser{s.t, conn}
	if n := b.next(); n.Topic != "hello" || n.Epoch != s.epoch {
		s.t.Fatalf("first message = %+v, want hello of epoch %s", n, s.epoch)
	}
	return b
}

// message is any message from the server.
type message struct {
	Topic, Rev, Kind, Leaf, Epoch string
	Entries                       int
}

func (b *browser) next() message {
	b.t.Helper()
	_ = b.conn.SetReadDeadline(time.Now().Add(10 * time.Second))
	var m message
	if err := b.conn.ReadJSON(&m); err != nil {
		b.t.Fatal(err)
	}
	return m
}

func (b *browser) ask(id int, url string) {
	b.t.Helper()
	if err := b.conn.WriteJSON(map[string]any{"id": id, "get": url}); err != nil {
		b.t.Fatal(err)
	}
}

// replyHead is the first line of a reply.
type replyHead struct {
	Topic      string
	ID, Status int
}

// answer reads a reply to ask: its head and its body.
func (b *browser) answer() (head replyHead, body string) {
	b.t.Helper()
	_ = b.conn.SetReadDeadline(time.Now().Add(10 * time.Second))
	_, data, err := b.conn.ReadMessage()
	if err != nil {
		b.t.Fatal(err)
	}
	line, rest, _ := strings.Cut(string(data), "\n")
	if err := json.Unmarshal([]byte(line), &head); err != nil || head.Topic != "answer" {
		b.t.Fatalf("%.300q is no answer (%v)", data, err)
	}
	return head, rest
}

func (b *browser) subscribe(topicRev ...string) {
	b.t.Helper()
	var subs []map[string]string
	for i := 0; i < len(topicRev); i += 2 {
		subs = append(subs, map[string]string{"topic": topicRev[i], "rev": topicRev[i+1]})
	}
	if err := b.conn.WriteJSON(map[string]any{"sub": subs}); err != nil {
		b.t.Fatal(err)
	}
}

// following waits until a subscription is in force. It also subscribes to a topic that does
// not exist and waits for its notice.
func (b *browser) following(topicRev ...string) {
	b.t.Helper()
	b.subscribe(append(topicRev, "session:nobody", "")...)
	if n := b.next(); n.Topic != "session:nobody" || n.Kind != "remove" {
		b.t.Fatalf("notice = %+v, want remove of a session that is not there", n)
	}
}

func (s *site) revision(path string) (key string, rev store.Revision) {
	s.t.Helper()
	sess, err := s.library.Open(s.t.Context(), path)
	if err != nil {
		s.t.Fatal(err)
	}
	sess.ReadTree(func(_ *session.Tree, r store.Revision) { rev = r })
	return sess.Key(), rev
}

func TestSocket_Append(t *testing.T) {
	s := newSite(t)
	tr := newTranscript("one")
	tr.chain(4)
	path := s.write("one.jsonl", tr)
	s.open(path)
	key, rev := s.revision(path)
	b := s.browse()
	b.following(follow.SessionTopic(key), rev.String())

	leaf := tr.user("more")
	s.append(path, tr)
	s.PathChanged(path)
	n := b.next()
	if n.Topic != follow.SessionTopic(key) || n.Kind != "append" || n.Entries != 1 || n.Leaf != leaf {
		t.Errorf("notice = %+v, want append of 1 entry, leaf %s", n, leaf)
	}
	tr.label("e1", "here")
	s.append(path, tr)
	s.PathChanged(path)
	if n := b.next(); n.Kind != "label" || n.Entries != 1 {
		t.Errorf("notice = %+v, want label with 1 entry", n)
	}
}

func TestSocket_RewriteAndRemove(t *testing.T) {
	s := newSite(t)
	tr := newTranscript("one")
	tr.chain(4)
	path := s.write("one.jsonl", tr)
	s.open(path)
	key, rev := s.revision(path)
	b := s.browse()
	b.following(follow.SessionTopic(key), rev.String())

	again := newTranscript("one")
	again.user("all new")
	s.write("one.jsonl", again)
	s.PathChanged(path)
	n := b.next()
	if n.Kind != "rewrite" || n.Rev == rev.String() {
		t.Errorf("notice = %+v, want rewrite at another revision than %v", n, rev)
	}
	remove(t, path)
	s.PathChanged(path)
	if n := b.next(); n.Kind != "remove" {
		t.Errorf("notice = %+v, want remove", n)
	}
}

// Viewers are notified when another session overwrites the file.
func TestSocket_Replaced(t *testing.T) {
	s := newSite(t)
	path := s.write("one.jsonl", sample())
	base := s.open(path)
	s.getOK(base)
	key, rev := s.revision(path)
	b := s.browse()
	b.following(follow.SessionTopic(key), rev.String())
	other := newTranscript("other")
	other.user("another session")
	s.write("one.jsonl", other)
	s.PathChanged(path)
	if n := b.next(); n.Topic != follow.SessionTopic(key) || n.Kind != "rewrite" {
		t.Errorf("notice = %+v, want rewrite of the old session", n)
	}
	if a := s.get(base + "/rows"); a.StatusCode != http.StatusNotFound {
		t.Errorf("status %d, want 404", a.StatusCode)
	}
}

// A browser that reconnects with an older revision gets one notice of what it missed.
func TestSocket_Resume(t *testing.T) {
	s := newSite(t)
	tr := newTranscript("one")
	tr.chain(4)
	path := s.write("one.jsonl", tr)
	s.open(path)
	key, old := s.revision(path)
	topic := follow.SessionTopic(key)
	tr.chain(3)
	s.append(path, tr)
	_, mid := s.revision(path)
	tr.label("e2", "x")
	s.append(path, tr)
	_, now := s.revision(path)

	tests := []struct {
		name, rev string
		kind      string
		entries   int
	}{
		{"behind", old.String(), "label", 4},
		{"behind by a label", mid.String(), "label", 1},
		{"of another start", rev(now.Epoch+99, now.N).String(), "rewrite", 0},
		{"ahead of the file", rev(now.Epoch, now.N+999).String(), "rewrite", 0},
		{"nothing", "", "rewrite", 0},
		{"rubbish", "::", "rewrite", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := s.browse()
			b.subscribe(topic, tt.rev)
			n := b.next()
			if n.Topic != topic || n.Kind != tt.kind || n.Entries != tt.entries || n.Rev != now.String() {
				t.Errorf("notice = %+v, want %s of %d entries at %v", n, tt.kind, tt.entries, now)
			}
		})
	}
	t.Run("up to date", func(t *testing.T) {
		s.browse().following(topic, now.String())
	})
	t.Run("unknown topics are ignored", func(t *testing.T) {
		s.browse().following("nonsense", "", "session:", "")
	})
}

func TestSocket_Library(t *testing.T) {
	s := newSite(t)
	s.fillCatalog()
	b := s.browse()
	b.subscribe(follow.ListTopic, "")
	n := b.next()
	if n.Topic != follow.ListTopic || n.Kind != "rewrite" {
		t.Fatalf("notice = %+v, want rewrite of the library", n)
	}
	// The page contains its revision, so that the browser gets no notice for what it shows.
	s.browse().following(follow.ListTopic, attr(t, s.getOK("/?part=list").body, "data-rev"))
	tr := newTranscript("new")
	tr.chain(2)
	path := s.write("new.jsonl", tr)
	s.PathChanged(path)
	n2 := b.next()
	if n2.Topic != follow.ListTopic || n2.Kind != "append" || n2.Rev == n.Rev {
		t.Errorf("notice = %+v, want append of the library after %s", n2, n.Rev)
	}
	if got := len(s.catalog.Sessions()); got != 1 {
		t.Errorf("%d sessions listed when the notice came, want 1", got)
	}
}

// Each subscription replaces the previous one, and only viewed sessions are watched
// closely.
func TestSocket_WatchesViewedSessions(t *testing.T) {
	var mu sync.Mutex
	viewed := map[string]int{}
	changed := make(chan struct{}, 100)
	s := newSite(t, func(c *siteConfig) {
		c.follow.Watch = func(path string) func() {
			mu.Lock()
			defer mu.Unlock()
			viewed[path]++
			return func() {
				mu.Lock()
				defer mu.Unlock()
				viewed[path]--
				changed <- struct{}{}
			}
		}
	})
	tr := newTranscript("one")
	tr.chain(2)
	path := s.write("one.jsonl", tr)
	s.open(path)
	key, rev := s.revision(path)
	watched := func() int {
		mu.Lock()
		defer mu.Unlock()
		sum := 0
		for _, n := range viewed {
			sum += n
		}
		return sum
	}
	b := s.browse()
	b.following(follow.SessionTopic(key), rev.String())
	b.following(follow.SessionTopic(key), rev.String())
	if watched() != 1 {
		t.Errorf("%d views after subscribing twice, want 1", watched())
	}
	b.following()
	if watched() != 0 {
		t.Errorf("%d views after dropping the topic, want 0", watched())
	}
	<-changed
	b.following(follow.SessionTopic(key), rev.String())
	b.conn.Close()
	<-changed
	if watched() != 0 {
		t.Errorf("%d views after the socket went, want 0", watched())
	}
}

func TestSocket_Origin(t *testing.T) {
	s := newSite(t)
	for origin, want := range map[string]int{
		s.http.URL:                 http.StatusSwitchingProtocols,
		"":                         http.StatusSwitchingProtocols,
		"http://evil.example":      http.StatusForbidden,
		"http://127.0.0.1:1":       http.StatusForbidden,
		"null":                     http.StatusForbidden,
		s.http.URL + ".evil.local": http.StatusForbidden,
	} {
		h := http.Header{}
		if origin != "" {
			h.Set("Origin", origin)
		}
		conn, res, _ := s.socket(h)
		if conn != nil {
			conn.Close()
		}
		if res == nil || res.StatusCode != want {
			t.Errorf("Origin %q: %+v, want status %d", origin, res, want)
		}
	}
}

func TestSocket_NeedsToken(t *testing.T) {
	s := newSite(t, func(c *siteConfig) { c.auth.RequireToken = true })
	if _, res, err := s.socket(nil); err == nil || res.StatusCode != http.StatusUnauthorized {
		t.Errorf("socket without a token: %v, want 401", err)
	}
}

// Close closes sockets with a close message and accepts no new ones.
func TestSocket_Close(t *testing.T) {
	s := newSite(t)
	b := s.browse()
	s.Server.Close()
	_, _, err := b.conn.ReadMessage()
	if !websocket.IsCloseError(err, websocket.CloseGoingAway) {
		t.Errorf("read after Close = %v, want going away", err)
	}
	if _, res, err := s.socket(nil); err == nil || res == nil || res.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("socket after Close: %v, want 503", err)
	}
}

// What a GET after a notice may request is available over the socket too; nothing else is.
func TestSocket_Request(t *testing.T) {
	s := newSite(t)
	path := s.write("a.jsonl", sample())
	s.fillCatalog()
	key, rev := s.revision(path)
	b := s.browse()
	url := "/sessions/" + key + "/news?since=" + rev.String() + "&after=none"
	b.ask(7, url)
	head, body := b.answer()
	if want := s.get(url); head.ID != 7 || head.Status != want.StatusCode || body != want.body {
		t.Errorf("over the socket: %+v %.200q\nby GET: %d %.200q", head, body, want.StatusCode, want.body)
	}
	for _, url := range []string{"/sessions/" + key, "/", "/sessions/" + key + "/entries/e1?raw=1", "/live", "::"} {
		b.ask(8, url)
		if head, _ := b.answer(); head.Status == http.StatusOK {
			t.Errorf("%s is answered over the socket", url)
		}
	}
}

// Pages treat a message with a newline as a reply, so the greeting has none. It names the
// server's assets.
func TestSocket_Greeting(t *testing.T) {
	s := newSite(t)
	conn, _, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(s.http.URL, "http")+"/live", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_, text, err := conn.ReadMessage()
	if err != nil || strings.Contains(string(text), "\n") || !strings.Contains(string(text), `"assets":"`+static.Prefix()+`"`) {
		t.Errorf("hello is %q, %v", text, err)
	}
}
