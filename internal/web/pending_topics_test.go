package web

import (
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"sessiontree/internal/session/store"
)

// sessionKey returns the key and path of a session whose file does not exist yet.
func (s *site) sessionKey(id, name string) (key, path string) {
	s.t.Helper()
	dir, err := filepath.EvalSymlinks(s.dir)
	if err != nil {
		s.t.Fatal(err)
	}
	path = filepath.Join(dir, name)
	return store.DeriveKey("pi", id, path), path
}

// An open page whose file is missing is notified when the file appears, and of later
// changes.
func TestSocket_SessionComesBack(t *testing.T) {
	var views atomic.Int64
	s := newSite(t, func(c *siteConfig) {
		c.Watch = func(string) func() {
			views.Add(1)
			return func() { views.Add(-1) }
		}
	})
	s.fillCatalog()
	key, path := s.sessionKey("one", "one.jsonl")
	topic := topicSession + key
	b := s.browse()
	b.subscribe(topic, "abc.1")
	if n := b.next(); n.Topic != topic || n.Kind != "remove" {
		t.Fatalf("notice = %+v, want remove while the file is away", n)
	}
	tr := newTranscript("one")
	tr.chain(4)
	s.write("one.jsonl", tr)
	s.PathChanged(path)
	if n := b.next(); n.Topic != topic || n.Kind != "rewrite" {
		t.Fatalf("notice = %+v, want rewrite when the file is there", n)
	}
	if views.Load() != 1 || len(s.pendingTopics.listTopics()) != 0 {
		t.Errorf("%d views and %q awaited, want 1 and none", views.Load(), s.pendingTopics.listTopics())
	}
	leaf := tr.user("more")
	s.append(path, tr)
	s.PathChanged(path)
	if n := b.next(); n.Topic != topic || n.Kind != "append" || n.Leaf != leaf {
		t.Errorf("notice = %+v, want append with leaf %s", n, leaf)
	}
	b.following() // waits until the topic is unfollowed
	if views.Load() != 0 {
		t.Errorf("%d views after leaving, want none", views.Load())
	}
}

// A session cannot be found in time while the list is not read. The page is notified when
// the list is complete.
func TestSocket_SessionArrivesLate(t *testing.T) {
	s := newSite(t)
	s.findTimeout = time.Millisecond
	tr := newTranscript("one")
	tr.chain(4)
	s.write("one.jsonl", tr)
	key, _ := s.sessionKey("one", "one.jsonl")
	b := s.browse()
	b.subscribe(topicSession+key, "abc.1")
	if n := b.next(); n.Kind != "rewrite" || n.Rev != (store.Revision{}).String() {
		t.Fatalf("notice = %+v, want rewrite of an unknown state", n)
	}
	s.fillCatalog()
	if n := b.next(); n.Kind != "rewrite" || n.Rev == (store.Revision{}).String() {
		t.Errorf("notice = %+v, want rewrite of what is there", n)
	}
}

// A socket that unfollows before the session appears is neither notified nor made to hold
// it.
func TestSocket_UnfollowsPendingTopic(t *testing.T) {
	s := newSite(t, func(c *siteConfig) {
		c.Watch = func(string) func() { t.Error("held for nobody"); return func() {} }
	})
	tr := newTranscript("one")
	tr.chain(2)
	path := s.write("one.jsonl", tr)
	s.fillCatalog()
	sess, err := s.library.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	topic := topicSession + sess.Key()
	k := &socket{subscriber: newSubscriber(), heldSessions: map[string]heldSession{}}
	k.subscriber.followTopic(topic)
	s.awaitSession(k, topic)
	s.unsubscribeTopic(k, topic)
	s.awaitSession(k, topic)
	s.holdSession(k, topic, sess)
	if got := s.pendingTopics.listTopics(); len(got) != 0 {
		t.Errorf("%q awaited, want none", got)
	}
}

// A session that moved is announced as rewritten, is followed at its new place, and is
// announced again when its file moves back.
func TestSocket_SessionMovedAndBack(t *testing.T) {
	s := newSite(t)
	tr := newTranscript("one")
	tr.chain(4)
	s.write("one.jsonl", tr)
	s.fillCatalog()
	key, path := s.sessionKey("one", "one.jsonl")
	_, other := s.sessionKey("one", "two.jsonl")
	if err := os.Rename(path, other); err != nil {
		t.Fatal(err)
	}
	s.fillCatalog()
	b := s.browse()
	b.subscribe(topicSession+key, "abc.1")
	if n := b.next(); n.Kind != "rewrite" {
		t.Fatalf("notice = %+v, want rewrite of what moved", n)
	}
	tr.chain(1)
	s.append(other, tr)
	s.PathChanged(other)
	if n := b.next(); n.Kind != "append" && n.Kind != "remove" || n.Topic != topicSession+key { // or the list reports the new place
		t.Fatalf("notice = %+v, want what was added where it is now", n)
	}
	if err := os.Rename(other, path); err != nil {
		t.Fatal(err)
	}
	s.PathChanged(other)
	s.PathChanged(path)
	n := b.next()
	for n.Kind == "remove" { // from both places
		n = b.next()
	}
	if n.Kind != "rewrite" {
		t.Errorf("notice = %+v, want rewrite of what is back", n)
	}
}

// With many unknown topics a socket waits for them only once, and gets notices for known
// topics.
func TestSocket_WaitsOnce(t *testing.T) {
	s := newSite(t)
	s.findTimeout = 200 * time.Millisecond
	b := s.browse()
	var topics []string
	for i := range maxSocketTopics - 1 {
		topics = append(topics, fmt.Sprintf("session:%d", i), "")
	}
	start := time.Now()
	b.subscribe(append(topics, topicLibrary, "")...)
	for {
		n := b.next()
		if n.Topic == topicLibrary {
			break
		}
		if n.Kind != "rewrite" {
			t.Errorf("notice = %+v, want rewrite of what may come", n)
		}
	}
	if took := time.Since(start); took > 10*s.findTimeout {
		t.Errorf("resolving took %v, want about %v", took, s.findTimeout)
	}
}
