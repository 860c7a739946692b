package web

import (
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"sessiontree/internal/session/follow"
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
		c.follow.Watch = func(string) func() {
			views.Add(1)
			return func() { views.Add(-1) }
		}
	})
	s.fillCatalog()
	key, path := s.sessionKey("one", "one.jsonl")
	topic := follow.SessionTopic(key)
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
	if views.Load() != 1 {
		t.Errorf("%d views, want 1", views.Load())
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
	s := newSite(t, func(c *siteConfig) { c.follow.FindTimeout = time.Millisecond })
	tr := newTranscript("one")
	tr.chain(4)
	s.write("one.jsonl", tr)
	key, _ := s.sessionKey("one", "one.jsonl")
	b := s.browse()
	b.subscribe(follow.SessionTopic(key), "abc.1")
	if n := b.next(); n.Kind != "rewrite" || n.Rev != (store.Revision{}).String() {
		t.Fatalf("notice = %+v, want rewrite of an unknown state", n)
	}
	s.fillCatalog()
	if n := b.next(); n.Kind != "rewrite" || n.Rev == (store.Revision{}).String() {
		t.Errorf("notice = %+v, want rewrite of what is there", n)
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
	b.subscribe(follow.SessionTopic(key), "abc.1")
	// The list may report the old place as well, before or after, and notices that were not sent
	// yet are merged.
	for n := b.next(); n.Kind != "rewrite"; n = b.next() {
		if n.Kind != "remove" {
			t.Fatalf("notice = %+v, want rewrite of what moved", n)
		}
	}
	tr.chain(1)
	s.append(other, tr)
	s.PathChanged(other)
	for n := b.next(); n.Kind != "remove" && n.Leaf != "e5"; n = b.next() {
		if n.Topic != follow.SessionTopic(key) {
			t.Fatalf("notice = %+v, want what was added where it is now", n)
		}
	}
	if err := os.Rename(other, path); err != nil {
		t.Fatal(err)
	}
	s.PathChanged(other)
	s.PathChanged(path)
	for n := b.next(); n.Kind != "rewrite"; n = b.next() { // fails if none comes
		if n.Topic != follow.SessionTopic(key) {
			t.Fatalf("notice = %+v, want rewrite of what is back", n)
		}
	}
}

// With many unknown topics a socket waits for them only once, and gets notices for known
// topics.
func TestSocket_WaitsOnce(t *testing.T) {
	const findTimeout = 200 * time.Millisecond
	s := newSite(t, func(c *siteConfig) { c.follow.FindTimeout = findTimeout })
	b := s.browse()
	var topics []string
	for i := range 64 - 1 {
		topics = append(topics, fmt.Sprintf("session:%d", i), "")
	}
	start := time.Now()
	b.subscribe(append(topics, follow.ListTopic, "")...)
	for {
		n := b.next()
		if n.Topic == follow.ListTopic {
			break
		}
		if n.Kind != "rewrite" {
			t.Errorf("notice = %+v, want rewrite of what may come", n)
		}
	}
	if took := time.Since(start); took > 30*findTimeout {
		t.Errorf("resolving took %v, want about %v", took, findTimeout)
	}
}
