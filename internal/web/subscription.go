package web

import (
	"context"
	"time"

	"sessiontree/internal/session/store"
)

type heldSession struct {
	sess         *store.Session
	stopWatching func()
}

// setSubscriptions replaces the topics of a socket. It resolves each topic again, even one
// followed already, because the browser names the revision it shows. All topics share one
// deadline, since the socket is not read meanwhile.
func (s *Server) setSubscriptions(ctx context.Context, k *socket, q socketRequest) {
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
	until := time.Now().Add(s.findTimeout)
	for _, requested := range q.Sub { // in the browser's order
		t := requested.Topic
		rev, ok := want[t]
		if !ok {
			continue
		}
		delete(want, t)
		k.subscriber.followTopic(t)
		s.hub.addSubscriber(t, k.subscriber)
		k.subscriber.resolveTopic(t, func() (store.Revision, *notice) { return s.resumeTopic(ctx, k, t, rev, until) })
	}
}

// canFollow reports whether the socket may follow a topic.
func (k *socket) canFollow(topic string) bool {
	if k.onlySession != nil {
		return topic == topicSession+k.onlySession.Key()
	}
	return isTopic(topic)
}

func (s *Server) unsubscribeTopic(k *socket, topic string) {
	s.hub.removeSubscriber(topic, k.subscriber)
	k.subscriber.unfollowTopic(topic)
	k.mu.Lock()
	defer k.mu.Unlock()
	s.pendingTopics.removeWaiting(topic, k)
	k.releaseSession(topic)
}

// holdSession keeps a session open and polled while the socket follows topic.
func (s *Server) holdSession(k *socket, topic string, sess *store.Session) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.subscriber.isFollowing(topic) { // unfollowed meanwhile: nobody would release it
		return
	}
	s.pendingTopics.removeWaiting(topic, k)
	if k.heldSessions[topic].sess == sess {
		return
	}
	k.releaseSession(topic)
	k.heldSessions[topic] = heldSession{sess, s.watch(sess.Path())}
}

// awaitSession notifies the socket when the session of a topic appears.
func (s *Server) awaitSession(k *socket, topic string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.subscriber.isFollowing(topic) {
		s.pendingTopics.addWaiting(topic, k)
	}
}

// releaseSession releases the session of a topic. The caller holds k.mu.
func (k *socket) releaseSession(topic string) {
	if h, ok := k.heldSessions[topic]; ok {
		h.stopWatching()
		delete(k.heldSessions, topic)
	}
}
