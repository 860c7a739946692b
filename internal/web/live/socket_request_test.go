package live

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"sessiontree/internal/session/follow"
	"sessiontree/internal/session/store"
)

func (b *browser) request(q socketRequest) {
	b.t.Helper()
	if err := b.conn.WriteJSON(q); err != nil {
		b.t.Fatal(err)
	}
}

// reply reads the next message, which has to be the reply to a request.
func (b *browser) reply(id int64) socketReply {
	b.t.Helper()
	_ = b.conn.SetReadDeadline(time.Now().Add(10 * time.Second))
	_, data, err := b.conn.ReadMessage()
	if err != nil {
		b.t.Fatal(err)
	}
	var a socketReply
	head, _, ok := strings.Cut(string(data), "\n")
	if err := json.Unmarshal([]byte(head), &a); err != nil || !ok || a.ID != id {
		b.t.Fatalf("message = %q, want the reply to request %d", data, id)
	}
	return a
}

// follow follows the session at its revision now.
func (s *site) follow(b *browser) (topic string, now store.Revision) {
	topic, now = s.sessionTopic()
	b.following(topic, now.String())
	return topic, now
}

// A request with After gets its reply after the next notice, which carries the same revision.
func TestRequestAfterChange(t *testing.T) {
	s := newSite(t)
	b := s.browse()
	topic, now := s.follow(b)
	b.request(socketRequest{Get: "/news", ID: 1, After: &topicRevision{topic, now.String()}})
	b.request(socketRequest{Get: "/other", ID: 2})
	b.reply(2) // the first one waits
	now.N++
	s.publishEvent(follow.Event{Topic: topic, Rev: now, Entries: 1})
	if n := b.next(); n.Rev != now.String() {
		t.Errorf("notice = %+v, want revision %s", n, now)
	}
	if a := b.reply(1); a.Rev != now.String() {
		t.Errorf("reply at revision %s, want %s", a.Rev, now)
	}
	now.N++
	s.publishEvent(follow.Event{Topic: topic, Rev: now, Entries: 1})
	b.next()
	b.request(socketRequest{Get: "/other", ID: 3})
	b.reply(3) // the first one is not served again
}

// If the topic has changed already, the reply comes at once.
func TestRequestAfterChange_Changed(t *testing.T) {
	s := newSite(t)
	b := s.browse()
	topic, shown := s.follow(b)
	now := shown
	now.N++
	s.publishEvent(follow.Event{Topic: topic, Rev: now, Entries: 1})
	b.next()
	b.request(socketRequest{Get: "/news", ID: 1, After: &topicRevision{topic, shown.String()}})
	if a := b.reply(1); a.Rev != now.String() {
		t.Errorf("reply at revision %s, want %s", a.Rev, now)
	}
}

// A later request replaces the one that waits.
func TestRequestAfterChange_Replaced(t *testing.T) {
	s := newSite(t)
	b := s.browse()
	topic, now := s.follow(b)
	for id := range int64(3) {
		b.request(socketRequest{Get: "/news", ID: id, After: &topicRevision{topic, now.String()}})
	}
	b.request(socketRequest{Get: "/other", ID: 3})
	b.reply(3)
	now.N++
	s.publishEvent(follow.Event{Topic: topic, Rev: now, Entries: 1})
	b.next()
	b.reply(2)
	b.request(socketRequest{Get: "/other", ID: 4})
	b.reply(4)
}
