package live

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"testing"

	"sessiontree/internal/session"
	"sessiontree/internal/session/follow"
	"sessiontree/internal/session/store"
)

// The notice kind for sessions that cannot be found.
func TestKindOfError(t *testing.T) {
	for _, tt := range []struct {
		err  error
		want follow.Kind
	}{
		{fmt.Errorf("x: %w", session.ErrNotFound), follow.Removed},
		{fmt.Errorf("x: %w", fs.ErrPermission), follow.Removed},
		{fmt.Errorf("x: %w", context.DeadlineExceeded), follow.Rewritten},
		{&follow.MovedError{Key: "k"}, follow.Rewritten},
	} {
		if got := kindOfError(tt.err); got != tt.want {
			t.Errorf("kindOf(%v) = %v, want %v", tt.err, got, tt.want)
		}
	}
}

// A socket keeps the list up to date from when it follows the list until it stops.
func TestSocket_HoldsList(t *testing.T) {
	s := newSite(t)
	k := newSocket(nil, s.follower, SocketOptions{})
	follows := func(request string) bool {
		var q socketRequest
		if err := json.Unmarshal([]byte(request), &q); err != nil {
			t.Fatal(err)
		}
		s.setSubscriptions(t.Context(), k, q)
		_, ok := k.heldSessions[follow.ListTopic]
		return ok
	}
	for range 2 {
		if !follows(`{"sub": [{"topic": "library"}]}`) {
			t.Error("the list is not kept up to date")
		}
	}
	if follows(`{"sub": []}`) {
		t.Error("the list is kept up to date for nobody")
	}
}

// A socket that unfollows before the session appears is neither notified nor made to hold
// it.
func TestSocket_UnfollowsPendingTopic(t *testing.T) {
	s := newSite(t, func(c *follow.Config) {
		c.Watch = func(string) func() { t.Error("held for nobody"); return func() {} }
	})
	topic, _ := s.sessionTopic()
	key := s.session.Key()
	k := newSocket(nil, s.follower, SocketOptions{})
	k.subscriber.followTopic(topic)
	k.awaitSession(key)
	s.unsubscribeTopic(k, topic)
	k.awaitSession(key)
	k.SessionFound(key, s.session)
	s.follower.Subscribe(func(e follow.Event) {
		if e.Topic == topic {
			t.Errorf("%+v although nobody waits", e)
		}
	})
	s.follower.Start()
	for range 2 { // the second time, all that is awaited was looked up
		found := make(waiter)
		s.follower.AwaitSession(s.other.Key(), found)
		<-found
	}
}

// waiter is closed when its session is found.
type waiter chan struct{}

func (w waiter) SessionFound(string, *store.Session) { close(w) }
