package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"sessiontree/internal/session/share"
)

// listen opens the socket of a live share as its page does.
func (s *site) listen(link, topic string) *websocket.Conn {
	s.t.Helper()
	conn, _, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(s.http.URL, "http")+link+"/live", http.Header{"Origin": {"https://share.example"}})
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { conn.Close() })
	_ = conn.SetReadDeadline(time.Now().Add(10 * time.Second))
	if _, _, err := conn.ReadMessage(); err != nil { // hello
		s.t.Fatal(err)
	}
	if err := conn.WriteJSON(map[string]any{"sub": []map[string]string{{"topic": topic}}}); err != nil {
		s.t.Fatal(err)
	}
	return conn
}

// readShareNotice reads one message and what follows its first line.
func readShareNotice(t *testing.T, conn *websocket.Conn) (m struct {
	Topic, Kind, Rev string
	Status           int
}, body string) {
	t.Helper()
	_, data, err := conn.ReadMessage()
	if err != nil {
		t.Fatal(err)
	}
	head, body, _ := strings.Cut(string(data), "\n")
	if err := json.Unmarshal([]byte(head), &m); err != nil {
		t.Fatal(err)
	}
	return m, body
}

func live(k shareable, s *site) (link, topic string) {
	link = s.share(k, url.Values{"live": {"1"}})
	page := s.getOK(link).body
	if attr(s.t, page, "data-live") != link+"/live" {
		s.t.Errorf("the page listens at %q", attr(s.t, page, "data-live"))
	}
	return link, topicSession + attr(s.t, page, "data-key")
}

// The viewers of a live share get new entries, with sensitive values redacted.
func TestShareSocket(t *testing.T) {
	s := newSharing(t)
	k := newShareable(s, "0a1a1a1a")
	link, topic := live(k, s)
	conn := s.listen(link, topic)
	m, _ := readShareNotice(t, conn) // the current state
	if m.Topic != topic {
		t.Fatalf("told of %q, want %q", m.Topic, topic)
	}
	eventually(t, "the session to be held", func() bool { return s.shareUpdater.isHolding(k.path) })
	tr := &transcript{n: 20, last: k.leaf}
	tr.user("The key is " + aKey + " still")
	s.append(k.path, tr)
	s.PathChanged(k.path)
	m, _ = readShareNotice(t, conn)
	if m.Topic != topic || m.Kind != "append" {
		t.Fatalf("told %+v, want an append", m)
	}
	if page := s.getOK(link + "/path").body; !strings.Contains(page, "The key is [") || strings.Contains(page, aKey) {
		t.Errorf("the path: %.600s", page)
	}
	if facts := s.getOK(link + "/facts").body; !strings.Contains(facts, `id="share-hero"`) || !strings.Contains(facts, fmt.Sprintf("<b>%d</b> entries", s.shares.List()[0].SessionEntries)) {
		t.Errorf("the facts: %.900s", facts)
	}
	tr.label(k.leaf, "found with "+aKey)
	s.append(k.path, tr)
	s.PathChanged(k.path)
	if m, _ = readShareNotice(t, conn); m.Topic != topic || m.Kind != "rewrite" { // as for every label in a sidecar
		t.Fatalf("told %+v, want a rewrite", m)
	}
	if rows := s.getOK(link + "/rows").body; !strings.Contains(rows, "found with [") || strings.Contains(rows, aKey) {
		t.Errorf("the rows: %.600s", rows)
	}
	// Updates can be requested for this share only.
	for get, want := range map[string]int{link + "/news?since=" + m.Rev: http.StatusOK, "/share/none/news?since=1.1": 404, k.base + "/news?since=1.1": 404, "/": 404, link + "/download?as=jsonl": 404} {
		if err := conn.WriteJSON(map[string]any{"get": get, "id": 7}); err != nil {
			t.Fatal(err)
		}
		if a, body := readShareNotice(t, conn); a.Topic != "answer" || a.Status != want || strings.Contains(body, "/sessions/") {
			t.Errorf("%s: %+v\n%.200s", get, a, body)
		}
	}
	s.endsWith(conn, func() { s.post("/shares/"+s.shares.List()[0].ID+"/revoke", nil) })
	eventually(t, "the session to be let go", func() bool { return !s.shareUpdater.isHolding(k.path) })
}

// endsWith checks that calling do closes the socket.
func (s *site) endsWith(conn *websocket.Conn, do func()) {
	s.t.Helper()
	do()
	for {
		if _, _, err := conn.ReadMessage(); err != nil {
			if !websocket.IsCloseError(err, websocket.CloseGoingAway) {
				s.t.Errorf("the socket ends with %v", err)
			}
			return
		}
	}
}

// Viewers get no notices of other topics: the library, the source session, another share.
func TestShareSocket_OtherTopics(t *testing.T) {
	s := newSharing(t)
	k, other := newShareable(s, "0b1b1b1b"), newShareable(s, "0c1c1c1c")
	link, topic := live(k, s)
	_, foreign := live(other, s)
	conn := s.listen(link, topicLibrary)
	if err := conn.WriteJSON(map[string]any{"sub": []map[string]string{{"topic": topicLibrary}, {"topic": foreign}, {"topic": topicSession + strings.TrimPrefix(k.base, "/sessions/")}, {"topic": topic}}}); err != nil {
		t.Fatal(err)
	}
	s.LibraryChanged()
	if m, _ := readShareNotice(t, conn); m.Topic != topic {
		t.Errorf("told of %q", m.Topic)
	}
}

// After a restart a live share continues with what was added meanwhile, even if nobody
// views the session.
func TestShareSocket_Restart(t *testing.T) {
	s := newSharing(t)
	k := newShareable(s, "0d1d1d1d")
	link, _ := live(k, s)
	s.Server.Close()
	tr := &transcript{n: 20, last: k.leaf}
	tr.user("While it was away")
	s.append(k.path, tr)
	c := Config{Shares: s.shares, Library: s.library, Catalog: s.catalog, View: s.loader.Config, Redactor: s.redactor}
	again, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	again.RunShareUpdates()
	eventually(t, "what came meanwhile", func() bool {
		sess, _, err := s.shares.OpenSnapshot(t.Context(), strings.TrimPrefix(link, "/share/"))
		if err != nil {
			t.Fatal(err)
		}
		line, err := os.ReadFile(sess.Path())
		return err == nil && strings.Contains(string(line), "While it was away")
	})
}

// A share that cannot be updated any more is ended, and its viewers are notified.
func TestShareSocket_UpdateFails(t *testing.T) {
	s := newSharing(t)
	k := newShareable(s, "0e1e1e1e")
	link, topic := live(k, s)
	conn := s.listen(link, topic)
	eventually(t, "the session to be held", func() bool { return s.shareUpdater.isHolding(k.path) })
	if err := os.WriteFile(k.path, []byte(`{"type":"session","version":3,"id":"another","timestamp":"2026-02-03T09:00:00.000Z","cwd":"/x"}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.endsWith(conn, func() { s.PathChanged(k.path) })
	if sh := s.shares.List()[0]; sh.StateAt(s.now()) != share.Revoked || sh.RevokeReason == "" {
		t.Errorf("%+v", sh)
	}
	if list := s.getOK("/shares").body; !strings.Contains(list, "could no longer follow") {
		t.Error("the list does not say why")
	}
}
