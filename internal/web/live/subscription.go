package live

import (
	"context"
	"errors"
	"time"

	"sessiontree/internal/session/follow"
	"sessiontree/internal/session/store"
)

// setSubscriptions replaces the topics of a socket. It resolves each topic again, even one
// followed already, because the browser names the revision it shows. All topics share one
// deadline, since the socket is not read meanwhile.
func (s *Sockets) setSubscriptions(ctx context.Context, k *socket, q socketRequest) {
	want := map[string]string{}
	for _, t := range q.Sub {
		if len(want) < maxSocketTopics && k.canFollow(t.Topic) {
			want[t.Topic] = t.Rev
		}
	}
	for _, t := range k.subscriber.followedTopics() {
		if _, keep := want[t]; !keep {
			s.unsubscribeTopic(k, t)
		}
	}
	until := s.follower.FindDeadline()
	for _, requested := range q.Sub { // in the browser's order
		t := requested.Topic
		rev, ok := want[t]
		if !ok {
			continue
		}
		delete(want, t)
		k.subscriber.followTopic(t)
		s.hub.addSubscriber(t, k.subscriber)
		k.subscriber.resolveTopic(t, func() (store.Revision, *notice) { return k.resumeTopic(ctx, t, rev, until) })
	}
}

func (s *Sockets) unsubscribeTopic(k *socket, topic string) {
	s.hub.removeSubscriber(topic, k.subscriber)
	k.subscriber.unfollowTopic(topic)
	k.mu.Lock()
	defer k.mu.Unlock()
	if key, ok := follow.SessionKey(topic); ok {
		k.follower.StopAwaiting(key, k)
	}
	k.releaseSession(topic)
}

// canFollow reports whether the socket may follow a topic.
func (k *socket) canFollow(topic string) bool {
	key, ok := follow.SessionKey(topic)
	if k.options.Only != nil {
		return ok && key == k.options.Only.Key()
	}
	return ok || topic == follow.ListTopic
}

// resumeTopic returns the state of a topic and the notice that leads there from the
// browser's revision, or nil if the browser is up to date. It waits until the deadline for
// an unknown session.
func (k *socket) resumeTopic(ctx context.Context, topic, rev string, until time.Time) (store.Revision, *notice) {
	key, ok := follow.SessionKey(topic)
	switch {
	case k.options.Only != nil:
		return newResumeNotice(follow.StateSince(k.options.Only, topic, rev))
	case !ok:
		k.holdList()
		return newResumeNotice(k.follower.ListSince(rev))
	}
	sess, err := k.follower.OpenSession(ctx, key, until)
	var moved *follow.MovedError
	if errors.As(err, &moved) {
		if sess, err := k.follower.OpenMovedSession(ctx, key, moved, until); err == nil {
			k.SessionFound(key, sess)
			k.awaitSession(key) // it may be moved back
			return newResumeNotice(follow.StateSince(sess, topic, ""))
		}
	}
	if err != nil {
		k.awaitSession(key)
		return store.Revision{}, &notice{Event: follow.Event{Topic: topic, Kind: kindOfError(err)}}
	}
	k.SessionFound(key, sess)
	return newResumeNotice(follow.StateSince(sess, topic, rev))
}

// newResumeNotice returns the revision of an event, and its notice if there is news.
func newResumeNotice(e follow.Event, news bool) (store.Revision, *notice) {
	if !news {
		return e.Rev, nil
	}
	return e.Rev, &notice{Event: e}
}

// kindOfError returns the kind of notice for a session that was not found. A session that
// moved or is not known yet can be requested again.
func kindOfError(err error) follow.Kind {
	var moved *follow.MovedError
	if errors.As(err, &moved) || errors.Is(err, context.DeadlineExceeded) {
		return follow.Rewritten
	}
	return follow.Removed
}

// SessionFound keeps the session of a key open and polled while the socket follows it.
func (k *socket) SessionFound(key string, sess *store.Session) {
	topic := follow.SessionTopic(key)
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.subscriber.isFollowing(topic) { // unfollowed meanwhile: nobody would release it
		return
	}
	k.follower.StopAwaiting(key, k)
	if k.heldSessions[topic].Session == sess {
		return
	}
	k.releaseSession(topic)
	k.heldSessions[topic] = k.follower.HoldSession(sess)
}

// holdList keeps the list up to date while the socket follows it.
func (k *socket) holdList() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if _, ok := k.heldSessions[follow.ListTopic]; !ok && k.subscriber.isFollowing(follow.ListTopic) {
		k.heldSessions[follow.ListTopic] = follow.HeldSession{Release: k.follower.FollowList()}
	}
}

// awaitSession makes the follower notify the socket when the session of a key appears.
func (k *socket) awaitSession(key string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.subscriber.isFollowing(follow.SessionTopic(key)) {
		k.follower.AwaitSession(key, k)
	}
}

// releaseSession releases the session of a topic. The caller holds k.mu.
func (k *socket) releaseSession(topic string) {
	if h, ok := k.heldSessions[topic]; ok {
		h.Release()
		delete(k.heldSessions, topic)
	}
}
